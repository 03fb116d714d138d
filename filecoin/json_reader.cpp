#include "filecoin/json_reader.hpp"

#include "filecoin/json_text.hpp"

#include <algorithm>

namespace cuzk::filecoin {
using namespace json_text;

char json_reader::peek() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c != ' ' && c != '\n' && c != '\r' && c != '\t')
      return c;
    ++at_;
  }
  return 0;
}

std::string json_reader::pointer() const {
  std::string out;
  for (const auto& s : path_) {
    out += '/';
    if (s.key.data() == nullptr)
      out += std::to_string(s.index);
    for (const char c : printable(s.key)) // RFC 6901: ~ and / are written ~0 and ~1
      out += c == '~' ? std::string("~0") : c == '/' ? std::string("~1") : std::string(1, c);
  }
  return out;
}

bool json_reader::fail(std::string_view expected) {
  peek();
  return refuse("found " + found_at(text_, at_) + "; expected " + std::string(expected));
}

bool json_reader::refuse(std::string text) {
  if (!failed_) {
    failed_ = true;
    const auto place = pointer();
    failure_ = bad_input((place.empty() ? "document" : place) + " (byte " + std::to_string(at_) + ")", std::move(text));
  }
  return false;
}

bool json_reader::open(char bracket, char close, const char* what, bool& more) {
  if (peek() != bracket)
    return fail(what);
  if (depth_ == max_depth)
    return fail("no deeper nesting than " + std::to_string(max_depth));
  ++depth_;
  ++at_;
  more = peek() != close;
  if (!more)
    ++at_;
  return true;
}

bool json_reader::next(char close, bool& more) {
  const char c = peek();
  if (c != ',' && c != close)
    return fail(close == '}' ? "a comma or }" : "a comma or ]");
  ++at_;
  more = c == ',';
  return true;
}

bool json_reader::key(std::string_view& raw, std::string_view& decoded) {
  bool escapes = false;
  if (peek() != '"')
    return fail("a member name in quotes");
  if (!raw_string(raw, escapes))
    return false;
  decoded = raw;
  if (escapes) {
    unescape(raw);
    decoded = scratch_;
  }
  if (peek() != ':')
    return fail("a colon");
  ++at_;
  return true;
}

bool json_reader::raw_string(std::string_view& raw, bool& has_escapes) {
  const std::size_t first = ++at_;
  for (;;) {
    while (at_ < text_.size() && plain_character[static_cast<unsigned char>(text_[at_])])
      ++at_;
    if (at_ == text_.size())
      return fail("the closing quote of a string");
    if (text_[at_] == '"')
      break;
    has_escapes = has_escapes || text_[at_] == '\\';
    if (text_[at_] == '\\' ? !escape() : !multibyte())
      return false;
  }
  raw = text_.substr(first, at_ - first);
  ++at_;
  return true;
}

bool json_reader::escape() {
  const auto unit = [&](std::size_t at, unsigned& code) {
    if (at + 6 > text_.size() || text_[at] != '\\' || text_[at + 1] != 'u')
      return false;
    for (std::size_t i = at + 2; i < at + 6; ++i)
      if (hex_value(text_[i]) < 0)
        return false;
    code = hex4(text_.substr(at + 2));
    return true;
  };
  unsigned code = 0, low = 0;
  if (at_ + 1 < text_.size() && text_[at_ + 1] != 'u') {
    if (std::string_view("\"\\/bfnrt").find(text_[at_ + 1]) == std::string_view::npos)
      return fail("an escape that JSON knows");
    at_ += 2;
    return true;
  }
  if (!unit(at_, code) || (code >= 0xdc00 && code < 0xe000))
    return fail("four hexadecimal digits of a character");
  const bool pair = code >= 0xd800 && code < 0xdc00;
  if (pair && (!unit(at_ + 6, low) || low < 0xdc00 || low >= 0xe000))
    return fail("both halves of a surrogate pair");
  at_ += pair ? 12 : 6;
  return true;
}

/// One character of several bytes. Source: Unicode, table 3-7.
bool json_reader::multibyte() {
  const auto at = [&](std::size_t i) { return i < text_.size() ? static_cast<unsigned char>(text_[i]) : 0u; };
  const unsigned lead = at(at_);
  unsigned low = 0x80, high = 0xbf, length = 0;
  if (lead >= 0xc2 && lead <= 0xdf)
    length = 2;
  else if (lead >= 0xe0 && lead <= 0xef)
    length = 3;
  else if (lead >= 0xf0 && lead <= 0xf4)
    length = 4;
  if (lead == 0xe0)
    low = 0xa0;
  else if (lead == 0xed)
    high = 0x9f;
  else if (lead == 0xf0)
    low = 0x90;
  else if (lead == 0xf4)
    high = 0x8f;
  if (length == 0 || at(at_ + 1) < low || at(at_ + 1) > high)
    return fail("printable UTF-8 text");
  for (unsigned i = 2; i < length; ++i)
    if (at(at_ + i) < 0x80 || at(at_ + i) > 0xbf)
      return fail("printable UTF-8 text");
  at_ += length;
  return true;
}

/// `raw` has been checked by raw_string.
void json_reader::unescape(std::string_view raw) {
  constexpr std::string_view names = "bfnrt", values = "\b\f\n\r\t";
  scratch_.clear();
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] != '\\') {
      scratch_ += raw[i];
      continue;
    }
    ++i;
    if (raw[i] != 'u') {
      const auto k = names.find(raw[i]);
      scratch_ += k == std::string_view::npos ? raw[i] : values[k];
      continue;
    }
    unsigned code = hex4(raw.substr(i + 1));
    i += 4;
    if (code >= 0xd800 && code < 0xdc00) {
      code = 0x10000 + ((code - 0xd800) << 10) + (hex4(raw.substr(i + 3)) - 0xdc00);
      i += 6;
    }
    append_utf8(scratch_, code);
  }
}

bool json_reader::string(std::string_view& out) {
  if (peek() != '"')
    return fail("a string");
  bool escapes = false;
  if (!raw_string(out, escapes))
    return false;
  if (escapes) {
    unescape(out);
    out = scratch_;
  }
  return true;
}

bool json_reader::number_text(std::string_view& out) {
  peek();
  std::size_t p = at_;
  const auto digits = [&] {
    const std::size_t first = p;
    while (p < text_.size() && is_digit(text_[p]))
      ++p;
    return p > first;
  };
  const auto accept = [&](std::string_view any) {
    const bool hit = p < text_.size() && any.find(text_[p]) != std::string_view::npos;
    p += hit;
    return hit;
  };
  accept("-");
  const bool zero = p < text_.size() && text_[p] == '0';
  const std::size_t whole = p;
  if (!digits() || (zero && p - whole > 1))
    return fail("a number");
  if (accept(".") && !digits())
    return fail("digits after the point");
  if (accept("eE")) {
    accept("+-");
    if (!digits())
      return fail("digits of an exponent");
  }
  out = text_.substr(at_, p - at_);
  return true;
}

bool json_reader::number(std::uint64_t& out, std::uint64_t max) {
  std::string_view text;
  const auto expected = [&] { return "an integer from 0 to " + std::to_string(max); };
  const char first = peek();
  if (first != '-' && !is_digit(first))
    return fail(expected());
  if (!number_text(text))
    return false;
  out = 0;
  for (const char c : text) {
    const std::uint64_t digit = static_cast<std::uint64_t>(c - '0');
    if (!is_digit(c) || out > (max - std::min(max, digit)) / 10 || digit > max)
      return fail(expected());
    out = out * 10 + digit;
  }
  at_ += text.size();
  return true;
}

bool json_reader::literal(std::string_view word) {
  peek();
  if (text_.substr(at_, word.size()) != word)
    return fail(word);
  at_ += word.size();
  return true;
}

bool json_reader::null() {
  return literal("null");
}

bool json_reader::skip() {
  std::string_view text;
  bool escapes = false;
  switch (peek()) {
  case '{': return object([&](std::string_view) { return skip(); });
  case '[': return array([&](std::size_t) { return skip(); });
  case '"': return raw_string(text, escapes);
  case 't': return literal("true");
  case 'f': return literal("false");
  case 'n': return literal("null");
  default:
    if (!number_text(text))
      return false;
    at_ += text.size();
    return true;
  }
}

bool json_reader::bytes32(digest& out) {
  if (peek() == '[') {
    const char* const end = text_.data() + text_.size();
    if (const char* p = scan_bytes32(text_.data() + at_ + 1, end, out)) {
      at_ = static_cast<std::size_t>(p - text_.data());
      return true;
    }
  }
  // Not plain: read slowly, which finds the place and the words for it.
  return array_of(out.size(), [&](std::size_t i) {
    std::uint64_t byte = 0;
    const bool read = number(byte, 255);
    out[i] = static_cast<std::uint8_t>(byte);
    return read;
  });
}

bool json_reader::end() {
  return peek() == 0 && at_ == text_.size() ? true : fail("the end of the text");
}

bool json_reader::count_failed(std::size_t found, std::size_t expected) {
  if (!path_.empty() && path_.back().key.data() == nullptr && found > expected)
    path_.pop_back(); // speak of the array, not of the element too many
  return refuse("found " + std::to_string(found) + (found > expected ? " or more" : "") + " elements; expected " +
                std::to_string(expected));
}

bool json_reader::missing(std::initializer_list<std::string_view> names, std::uint32_t seen) {
  std::uint32_t bit = 1;
  for (const auto name : names) {
    if (!(seen & bit) && name.front() != '?')
      return refuse("the member \"" + std::string(name) + "\" is missing");
    bit <<= 1;
  }
  return true;
}

} // namespace cuzk::filecoin
