#pragma once
// What systemd wants to hear from a service of Type=notify.
#include "runtime/paths.hpp"

#include <string>

namespace cuzk {

/// Sends "READY=1", "STOPPING=1", "STATUS=…" to the socket in $NOTIFY_SOCKET; does nothing without one. Returns whether
/// something was sent.
bool notify_service(const environment& env, const std::string& message);

} // namespace cuzk
