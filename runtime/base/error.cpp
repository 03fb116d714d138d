#include "runtime/base/error.hpp"

namespace cuzk {

const char* to_string(errc code) noexcept {
  switch (code) {
  case errc::bad_input: return "bad_input";
  case errc::params: return "params";
  case errc::resources: return "resources";
  case errc::gpu_fault: return "gpu_fault";
  case errc::self_check_failed: return "self_check_failed";
  case errc::cancelled: return "cancelled";
  case errc::deadline: return "deadline";
  case errc::shutdown: return "shutdown";
  case errc::unauthorized: return "unauthorized";
  case errc::not_found: return "not_found";
  case errc::conflict: return "conflict";
  case errc::unavailable: return "unavailable";
  case errc::internal: return "internal";
  }
  return "internal";
}

bool parse_errc(std::string_view name, errc& out) noexcept {
  for (auto code : all_errcs)
    if (name == to_string(code)) {
      out = code;
      return true;
    }
  return false;
}

retry_hint retry_of(errc code) noexcept {
  switch (code) {
  case errc::resources: return retry_hint::later;
  case errc::gpu_fault:
  case errc::shutdown: return retry_hint::elsewhere;
  case errc::self_check_failed: return retry_hint::once;
  case errc::unavailable: return retry_hint::yes;
  case errc::internal: return retry_hint::maybe;
  case errc::bad_input:
  case errc::params:
  case errc::cancelled:
  case errc::deadline:
  case errc::unauthorized:
  case errc::not_found:
  case errc::conflict: return retry_hint::no;
  }
  return retry_hint::maybe;
}

const char* to_string(retry_hint hint) noexcept {
  switch (hint) {
  case retry_hint::no: return "no";
  case retry_hint::once: return "once";
  case retry_hint::later: return "later";
  case retry_hint::elsewhere: return "elsewhere";
  case retry_hint::yes: return "yes";
  case retry_hint::maybe: return "maybe";
  }
  return "maybe";
}

int exit_status(errc code) noexcept {
  switch (code) {
  case errc::bad_input: return 2;
  case errc::params: return 3;
  case errc::resources: return 4;
  case errc::gpu_fault: return 5;
  case errc::self_check_failed: return 6;
  case errc::cancelled: return 7;
  case errc::deadline: return 8;
  case errc::shutdown: return 9;
  case errc::unauthorized: return 10;
  case errc::not_found: return 11;
  case errc::conflict: return 12;
  case errc::unavailable: return 13;
  case errc::internal: return 70;
  }
  return 70;
}

int http_status(errc code) noexcept {
  switch (code) {
  case errc::bad_input: return 400;
  case errc::unauthorized: return 401;
  case errc::not_found: return 404;
  case errc::params:
  case errc::cancelled:
  case errc::deadline:
  case errc::conflict: return 409;
  case errc::gpu_fault:
  case errc::self_check_failed:
  case errc::internal: return 500;
  case errc::resources:
  case errc::shutdown: return 503;
  case errc::unavailable: return 0;
  }
  return 500;
}

std::string printable(std::string_view text, std::size_t most) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string out;
  for (const char c : text.substr(0, most)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f)
      out += c;
    else
      out += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
  }
  return out;
}

std::string quoted(std::string_view text, std::size_t most) {
  return "\"" + printable(text, most) + "\"";
}

std::string error::message() const {
  std::string out = to_string(code);
  out += ": ";
  if (!where.empty())
    out += where + ": ";
  return out + text;
}

} // namespace cuzk
