#include "actors/metrics_table.hpp"

#include <algorithm>
#include <cstdio>

namespace cuzk {

namespace {

std::string in_short(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

} // namespace

const std::vector<double>& histogram::bounds() {
  static const std::vector<double> all = {0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2,
                                          0.5,    1,      2,      5,     10,    20,    50,   100,  200,  500, 1000};
  return all;
}

void histogram::observe(double value) {
  ++count_;
  sum_ += value;
  const auto at = std::lower_bound(bounds().begin(), bounds().end(), value);
  if (at != bounds().end())
    ++buckets_[static_cast<std::size_t>(at - bounds().begin())];
}

void histogram::append_to(metric_family& family, const std::string& labels) const {
  const std::string comma = labels.empty() ? "" : labels + ",";
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < buckets_.size(); ++i) {
    below += buckets_[i];
    family.samples.push_back(
      {family.name + "_bucket", comma + label("le", in_short(bounds()[i])), static_cast<double>(below)});
  }
  family.samples.push_back({family.name + "_bucket", comma + label("le", "+Inf"), static_cast<double>(count_)});
  family.samples.push_back({family.name + "_sum", labels, sum_});
  family.samples.push_back({family.name + "_count", labels, static_cast<double>(count_)});
}

void metrics_table::count(const std::string& family, const std::string& labels, double by) {
  counters_[family][labels] += by;
}

void metrics_table::observe(const std::string& family, const std::string& labels, double seconds) {
  histograms_[family][labels].observe(seconds);
}

double metrics_table::value(const std::string& family, const std::string& labels) const {
  if (const auto h = histograms_.find(family); h != histograms_.end()) {
    const auto it = h->second.find(labels);
    return it == h->second.end() ? 0 : static_cast<double>(it->second.count());
  }
  const auto c = counters_.find(family);
  if (c == counters_.end())
    return 0;
  const auto it = c->second.find(labels);
  return it == c->second.end() ? 0 : it->second;
}

std::vector<metric_family> metrics_table::families() const {
  std::vector<metric_family> out;
  for (const auto& [family, help] : help_) {
    metric_family f;
    f.name = family;
    f.help = help;
    if (const auto h = histograms_.find(family); h != histograms_.end()) {
      f.type = metric_type::histogram;
      for (const auto& [labels, histo] : h->second)
        histo.append_to(f, labels);
    } else if (const auto c = counters_.find(family); c != counters_.end()) {
      for (const auto& [labels, value] : c->second)
        f.samples.push_back({family, labels, value});
    }
    if (!f.samples.empty())
      out.push_back(std::move(f));
  }
  return out;
}

std::string label(const std::string& name, const std::string& value) {
  std::string out = name + "=\"";
  for (const char c : value) {
    if (c == '\\' || c == '"')
      out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out + "\"";
}

} // namespace cuzk
