#include "runtime/service.hpp"

#include <cstddef>
#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace cuzk {

bool notify_service(const environment& env, const std::string& message) {
  const auto found = env.find("NOTIFY_SOCKET");
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (found == env.end() || found->second.size() < 2 || found->second.size() >= sizeof address.sun_path)
    return false;
  std::memcpy(address.sun_path, found->second.data(), found->second.size());
  if (address.sun_path[0] == '@')
    address.sun_path[0] = '\0'; // an abstract socket
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + found->second.size());
  const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0)
    return false;
  const auto sent =
    ::sendto(fd, message.data(), message.size(), MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&address), length);
  ::close(fd);
  return sent == static_cast<ssize_t>(message.size());
}

} // namespace cuzk
