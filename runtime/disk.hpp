#pragma once
// Files that are whole or absent, and folders that are ours alone.
#include "runtime/base/error.hpp"
#include "runtime/base/hex.hpp"

#include <string>

namespace cuzk {

/// What errno says about a file: "<doing> <path>: <reason>". No space and no permission are resources, a missing file
/// is not_found, the rest is resources too.
error disk_error(const char* doing, const std::string& path, int code);

/// Makes a folder and its parents; a new one gets mode 0700. Errors: resources; also when the path is not a folder.
status make_private_folder(const std::string& path);

/// Writes beside the path under `suffix`, fsyncs, renames, fsyncs the folder. Errors: resources; nothing is left then.
status write_durably(const std::string& path, const std::string& suffix, byte_view data);

/// The whole of a regular file. Errors: not_found, resources.
result<bytes> read_whole(const std::string& path);

} // namespace cuzk
