#pragma once
// Results as one JSON object or as lines for people.
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cuzk::bench {

/// Members in the order they were added.
class report {
public:
  void text(std::string_view name, std::string_view value);
  void number(std::string_view name, std::uint64_t value);
  /// Printed with `digits` places after the point.
  void real(std::string_view name, double value, int digits = 3);
  void flag(std::string_view name, bool value);
  void list(std::string_view name, const std::vector<report>& items);
  void object(std::string_view name, const report& value);

  std::string json() const;
  /// One line a member; lists and objects indented.
  std::string lines() const { return lines(""); }

private:
  struct member {
    std::string name;
    std::string json;           ///< the value as JSON
    std::string plain;          ///< for people
    std::vector<report> nested; ///< of a list or an object
  };
  void add(std::string_view name, std::string json, std::string plain, std::vector<report> nested = {});
  std::string lines(const std::string& indent) const;
  std::vector<member> members_;
};

} // namespace cuzk::bench
