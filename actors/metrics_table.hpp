#pragma once
// Counters and histograms by name and labels, and their page. No CAF, clock or I/O.
#include "messages/status.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace cuzk {

/// Cumulative counts under fixed bounds, as Prometheus reads them.
class histogram {
public:
  /// Seconds from 0.1 ms to 1000 s, three a decade; for gaps and stages alike.
  static const std::vector<double>& bounds();
  void observe(double value);
  /// Samples named <family>_bucket, _sum and _count.
  void append_to(metric_family& family, const std::string& labels) const;
  std::uint64_t count() const { return count_; }

private:
  std::vector<std::uint64_t> buckets_ = std::vector<std::uint64_t>(bounds().size());
  std::uint64_t count_ = 0;
  double sum_ = 0;
};

class metrics_table {
public:
  /// @param labels `kind="porep",stage="ntt"`, or empty.
  void count(const std::string& family, const std::string& labels, double by = 1);
  void observe(const std::string& family, const std::string& labels, double seconds);
  /// A help text; families without one are not shown.
  void describe(const std::string& family, std::string help) { help_[family] = std::move(help); }
  std::vector<metric_family> families() const;
  double value(const std::string& family, const std::string& labels) const;

private:
  std::map<std::string, std::string> help_;
  std::map<std::string, std::map<std::string, double>> counters_;
  std::map<std::string, std::map<std::string, histogram>> histograms_;
};

/// One label, with the escapes the format wants.
std::string label(const std::string& name, const std::string& value);

} // namespace cuzk
