#include "tools/cuzk-bench/arguments.hpp"

#include <algorithm>
#include <charconv>

namespace cuzk::bench {

result<arguments> arguments::parse(const command& spec, const std::vector<std::string>& words) {
  arguments out;
  bool have_positional = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string word = words[i];
    if (!word.starts_with("--")) {
      if (spec.positional.empty() || have_positional)
        return bad_input(word, "one word too many for " + std::string(spec.name));
      out.positional_ = std::move(word);
      have_positional = true;
      continue;
    }
    std::optional<std::string> inline_value;
    if (const auto equals = word.find('='); equals != std::string::npos) {
      inline_value = word.substr(equals + 1);
      word.resize(equals);
    }
    const auto known =
      std::find_if(spec.options.begin(), spec.options.end(), [&word](const option& o) { return o.name == word; });
    if (known == spec.options.end())
      return bad_input(word, "unknown option of " + std::string(spec.name));
    if (out.values_.contains(word))
      return bad_input(word, "given twice");
    const bool is_switch = known->value.empty();
    if (is_switch && inline_value)
      return bad_input(word, "takes no value");
    if (!is_switch && !inline_value && i + 1 == words.size())
      return bad_input(word, "needs a value: " + std::string(known->value));
    out.values_[word] = is_switch ? "" : inline_value ? *inline_value : words[++i];
  }
  if (!spec.positional.empty() && !have_positional)
    return bad_input(std::string(spec.name), "expected " + std::string(spec.positional));
  return out;
}

std::optional<std::string> arguments::text(std::string_view name) const {
  const auto at = values_.find(name);
  return at == values_.end() ? std::nullopt : std::optional(at->second);
}

result<std::string> arguments::required(std::string_view name) const {
  if (auto value = text(name))
    return *std::move(value);
  return bad_input(std::string(name), "is needed");
}

result<std::uint64_t> arguments::number(std::string_view name, std::uint64_t fallback, std::uint64_t most) const {
  const auto value = text(name);
  return value ? parse_number(*value, most, std::string(name)) : result<std::uint64_t>(fallback);
}

result<std::optional<bool>> arguments::on_off(std::string_view name) const {
  const auto value = text(name);
  if (!value)
    return std::optional<bool>();
  if (*value == "on" || *value == "off")
    return std::optional<bool>(*value == "on");
  return bad_input(std::string(name), "\"" + *value + "\", expected on or off");
}

result<std::uint64_t> parse_number(std::string_view text, std::uint64_t most, const std::string& where) {
  std::uint64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size() || value > most)
    return bad_input(where, "\"" + std::string(text) + "\", expected a number up to " + std::to_string(most));
  return value;
}

std::string help_of(const command& spec) {
  std::string out = "cuzk-bench " + std::string(spec.name);
  if (!spec.positional.empty())
    out += " " + std::string(spec.positional);
  out += " [options]\n  " + std::string(spec.help) + "\n";
  for (const auto& o : spec.options) {
    std::string left = "  " + std::string(o.name) + (o.value.empty() ? "" : " " + std::string(o.value));
    left.resize(std::max<std::size_t>(left.size() + 2, 26), ' ');
    out += left + std::string(o.help) + "\n";
  }
  return out;
}

std::string help_of(const std::vector<command>& all) {
  std::string out;
  for (const auto& spec : all)
    out += (out.empty() ? "" : "\n") + help_of(spec);
  return out;
}

} // namespace cuzk::bench
