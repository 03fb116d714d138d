#include "runtime/paths.hpp"

#include <unistd.h>

extern char** environ;

namespace cuzk {
namespace {

std::string value_of(const environment& env, const char* name) {
  const auto found = env.find(name);
  return found == env.end() ? std::string() : found->second;
}

/// systemd separates several directories by colons; ours is the first.
std::string first_of(const std::string& list) {
  return list.substr(0, list.find(':'));
}

} // namespace

environment process_environment() {
  environment env;
  for (char** entry = environ; entry && *entry; ++entry) {
    const std::string text = *entry;
    if (const auto equals = text.find('='); equals != std::string::npos)
      env.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return env;
}

std::string default_socket(const environment& env, unsigned uid) {
  if (auto service = first_of(value_of(env, "RUNTIME_DIRECTORY")); !service.empty())
    return service + "/cuzk.sock";
  if (const auto session = value_of(env, "XDG_RUNTIME_DIR"); !session.empty())
    return session + "/cuzk.sock";
  return uid == 0 ? "/run/cuzk/cuzk.sock" : "/tmp/cuzk-" + std::to_string(uid) + "/cuzk.sock";
}

std::string default_socket() {
  return default_socket(process_environment(), ::getuid());
}

std::string default_state_dir(const environment& env, unsigned uid) {
  if (auto service = first_of(value_of(env, "STATE_DIRECTORY")); !service.empty())
    return service;
  if (const auto state = value_of(env, "XDG_STATE_HOME"); !state.empty())
    return state + "/cuzk";
  if (uid == 0)
    return "/var/lib/cuzk";
  return value_of(env, "HOME") + "/.local/state/cuzk";
}

std::string default_params_dir(const environment& env) {
  const auto given = value_of(env, "FIL_PROOFS_PARAMETER_CACHE");
  return given.empty() ? "/var/tmp/filecoin-proof-parameters" : given;
}

} // namespace cuzk
