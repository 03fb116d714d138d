#pragma once
// A pull reader of JSON (RFC 8259): one pass over the text, no tree, no index, no allocation by a stated length.
// Strict as serde_json: duplicate known members, wrong types and numbers out of range are refused, unknown ones read
// over.
#include "math/hash/digest.hpp"
#include "runtime/base/error.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace cuzk::filecoin {

/// Every read consumes one value and returns false after a failure; the first failure is kept, with the JSON pointer
/// and the byte offset of the value. The text must outlive the reader.
class json_reader {
public:
  explicit json_reader(std::string_view text) : text_(text) {}

  /// Next byte that is not white space; 0 at the end. Does not consume it.
  char peek();

  /// An object whose members are `names`; one that begins with '?' may be absent. Calls on(i) for member names[i],
  /// which must read the value; others are read over. At most 32 names.
  template <class F>
  bool record(std::initializer_list<std::string_view> names, F&& on);
  /// An object of whatever members: calls on(key) for each. `key` is valid until the next read.
  template <class F>
  bool object(F&& on);
  /// An array: calls on(i) for each element.
  template <class F>
  bool array(F&& on);
  /// An array of exactly `count` elements; stops at the first one too many.
  template <class F>
  bool array_of(std::size_t count, F&& on);

  /// An integer in [0, max], written without fraction or exponent.
  bool number(std::uint64_t& out, std::uint64_t max = ~std::uint64_t(0));
  /// A string with its escapes decoded; valid until the next string is read.
  bool string(std::string_view& out);
  bool null();
  /// Any value, checked and dropped.
  bool skip();
  /// 32 integers 0..255 in an array.
  bool bytes32(digest& out);
  /// Nothing but white space follows.
  bool end();

  /// Records a failure at the value that starts at the current place. Always false.
  bool fail(std::string_view expected);
  /// Records a failure with a text of its own at the value last begun. Always false.
  bool refuse(std::string text);
  bool failed() const noexcept { return failed_; }
  const error& failure() const noexcept { return failure_; }
  std::size_t offset() const noexcept { return at_; }
  /// JSON pointer of the value being read.
  std::string pointer() const;

private:
  struct step {
    std::string_view key; ///< as written in the text; of an array element: no data
    std::size_t index = 0;
  };
  static constexpr std::size_t max_depth = 128;

  /// Consumes the bracket; `more` tells whether a first element follows.
  bool open(char bracket, char close, const char* what, bool& more);
  /// Consumes the comma or the closing bracket after an element.
  bool next(char close, bool& more);
  bool key(std::string_view& raw, std::string_view& decoded);
  bool raw_string(std::string_view& raw, bool& has_escapes);
  bool escape();
  bool multibyte();
  void unescape(std::string_view raw);
  bool number_text(std::string_view& out);
  bool literal(std::string_view word);
  bool count_failed(std::size_t found, std::size_t expected);
  bool missing(std::initializer_list<std::string_view> names, std::uint32_t seen);

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  std::vector<step> path_;
  std::string scratch_;
  bool failed_ = false;
  error failure_;
};

template <class F>
bool json_reader::object(F&& on) {
  bool more = false;
  if (!open('{', '}', "an object", more))
    return false;
  while (more) {
    std::string_view raw, name;
    if (!key(raw, name))
      return false;
    path_.push_back({raw, 0});
    if (!on(name))
      return false;
    path_.pop_back();
    if (!next('}', more))
      return false;
  }
  --depth_;
  return true;
}

template <class F>
bool json_reader::record(std::initializer_list<std::string_view> names, F&& on) {
  std::uint32_t seen = 0;
  const auto member = [&](std::string_view name) {
    std::uint32_t bit = 1;
    int i = 0;
    for (const auto candidate : names) {
      if (name == (candidate.front() == '?' ? candidate.substr(1) : candidate)) {
        if (seen & bit)
          return refuse("the member is there twice; expected once");
        seen |= bit;
        return static_cast<bool>(on(i));
      }
      bit <<= 1;
      ++i;
    }
    return skip();
  };
  return object(member) && missing(names, seen);
}

template <class F>
bool json_reader::array(F&& on) {
  bool more = false;
  if (!open('[', ']', "an array", more))
    return false;
  path_.push_back({});
  for (std::size_t i = 0; more; ++i) {
    path_.back().index = i;
    if (!on(i) || !next(']', more))
      return false;
  }
  path_.pop_back();
  --depth_;
  return true;
}

template <class F>
bool json_reader::array_of(std::size_t count, F&& on) {
  std::size_t found = 0;
  const auto element = [&](std::size_t i) {
    found = i + 1;
    return i < count ? static_cast<bool>(on(i)) : count_failed(found, count);
  };
  return array(element) && (found == count || count_failed(found, count));
}

} // namespace cuzk::filecoin
