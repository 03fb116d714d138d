// Of the process and its surroundings: instance lock, memory limits, systemd, default paths.
#include "runtime/instance.hpp"
#include "runtime/memory.hpp"
#include "runtime/service.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temp_dir.hpp"

#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace cuzk;
using cuzk::test::temp_dir;

TEST_CASE("a second daemon on the same state is refused with the pid of the first") {
  temp_dir dir;
  const auto folder = dir / "state";
  {
    auto first = instance_lock::acquire(folder + "/");
    REQUIRE(first);
    struct stat info {};
    REQUIRE(::stat(folder.c_str(), &info) == 0);
    CHECK((info.st_mode & 0777) == 0700);
    const auto second = instance_lock::acquire(folder);
    REQUIRE_FALSE(second);
    CHECK(second.err().code == errc::conflict);
    CHECK(second.err().text == "already running (pid " + std::to_string(::getpid()) + ")");
  }
  CHECK(instance_lock::acquire(folder));
}

TEST_CASE("a killed daemon leaves nothing that blocks the next start") {
  temp_dir dir;
  int ready[2];
  REQUIRE(::pipe(ready) == 0);
  const auto child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const auto lock = instance_lock::acquire(dir.path());
    const char answer = lock ? 'y' : 'n';
    if (::write(ready[1], &answer, 1) != 1)
      ::_exit(1);
    ::pause();
    ::_exit(0);
  }
  char answer = 0;
  REQUIRE(::read(ready[0], &answer, 1) == 1);
  CHECK(answer == 'y');
  const auto blocked = instance_lock::acquire(dir.path());
  REQUIRE_FALSE(blocked);
  CHECK(blocked.err().text == "already running (pid " + std::to_string(child) + ")");
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  CHECK(instance_lock::acquire(dir.path()));
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST_CASE("the memory limit is the least of the machine and all control groups above") {
  temp_dir root;
  namespace fs = std::filesystem;
  fs::create_directories(root / "proc/self");
  fs::create_directories(root / "sys/fs/cgroup/a/b");
  std::ofstream(root / "proc/meminfo") << "MemTotal:       16384 kB\nMemFree:         1 kB\n";
  std::ofstream(root / "proc/self/cgroup") << "0::/a/b\n";
  const auto limits = [&] { return read_memory_limits(root.path()); };
  CHECK(limits().limit_bytes == 16u << 20);
  CHECK(limits().limited_by == "machine");
  std::ofstream(root / "sys/fs/cgroup/a/b/memory.max") << "max\n";
  CHECK(limits().limit_bytes == 16u << 20);
  std::ofstream(root / "sys/fs/cgroup/a/memory.max") << (8u << 20) << "\n";
  CHECK(limits().limit_bytes == 8u << 20);
  CHECK(limits().limited_by == "/sys/fs/cgroup/a/memory.max");
  std::ofstream(root / "sys/fs/cgroup/memory.max") << (4u << 20) << "\n";
  CHECK(limits().limit_bytes == 4u << 20);
  CHECK(limits().machine_bytes == 16u << 20);
  CHECK(automatic_budget({100ull << 30, 10ull << 30, ""}) == 8ull << 30);
  CHECK(automatic_budget({}) == 256u << 20);
}

TEST_CASE("memory of this machine and process can be told") {
  const auto limits = read_memory_limits();
  CHECK(limits.limit_bytes > 64u << 20);
  CHECK(limits.limit_bytes <= limits.machine_bytes);
  CHECK(resident_bytes() > 1u << 20);
}

TEST_CASE("systemd is told when there is somebody to tell") {
  CHECK_FALSE(notify_service({}, "READY=1"));
  temp_dir dir;
  const auto path = dir / "notify";
  CHECK_FALSE(notify_service({{"NOTIFY_SOCKET", path}}, "READY=1"));
  const int fd = ::socket(AF_UNIX, SOCK_DGRAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  REQUIRE(::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  CHECK(notify_service({{"NOTIFY_SOCKET", path}}, "READY=1"));
  char text[16] = {};
  CHECK(::recv(fd, text, sizeof text - 1, MSG_DONTWAIT) == 7);
  CHECK(std::string(text) == "READY=1");
  ::close(fd);
}
