#pragma once
// What the client prints: text for people or one JSON document for scripts, progress on stderr.
#include "gateway/json.hpp"
#include "runtime/base/error.hpp"

#include <string>

namespace cuzk::client {

/// A table or a few lines for people.
std::string to_text(const job_report& report);
std::string to_text(const job_list& list);
std::string to_text(const job_event& event);
std::string to_text(const node_status& status);

class console {
public:
  bool json_output = false;

  /// Prints the error where it belongs (JSON to stdout, text to stderr) and returns its exit status.
  int fail(const error& e) const;
  /// Prints a document as JSON, or the text.
  void show(const json& document, const std::string& text) const;
  /// A line to stderr, for people only.
  void note(const std::string& line) const;
  /// A progress bar that overwrites itself on a terminal; elsewhere a line when `what` changes. Nothing with --json.
  void progress(unsigned percent, const std::string& what);
  /// Ends the line of the progress bar.
  void end_progress();

private:
  std::string last_what_;
  bool bar_open_ = false;
};

} // namespace cuzk::client
