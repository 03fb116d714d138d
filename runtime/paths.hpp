#pragma once
// Where things are when nobody says otherwise.
#include <map>
#include <string>

namespace cuzk {

/// Environment variables by name. An empty one counts as not set.
using environment = std::map<std::string, std::string>;
/// That of this process.
environment process_environment();

/// The API's unix socket: $RUNTIME_DIRECTORY/cuzk.sock (a systemd service), $XDG_RUNTIME_DIR/cuzk.sock,
/// /run/cuzk/cuzk.sock for root, else /tmp/cuzk-<uid>/cuzk.sock.
std::string default_socket(const environment& env, unsigned uid);
/// The same for this process.
std::string default_socket();
/// $STATE_DIRECTORY (a systemd service), $XDG_STATE_HOME/cuzk, /var/lib/cuzk for root, else ~/.local/state/cuzk.
std::string default_state_dir(const environment& env, unsigned uid);
/// $FIL_PROOFS_PARAMETER_CACHE, else /var/tmp/filecoin-proof-parameters.
std::string default_params_dir(const environment& env);

} // namespace cuzk
