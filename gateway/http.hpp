#pragma once
// /healthz, /readyz, /metrics and /status for probes and scrapers. Lives on the loop's thread.
#include "gateway/api_server.hpp"

#include <kj/compat/http.h>

namespace cuzk {

/// What the HTTP server needs and answers. With `ask_token` every path but /healthz and /readyz wants
/// "Authorization: Bearer TOKEN".
struct http_pages {
  kj::Own<kj::HttpHeaderTable> table;
  kj::Own<kj::HttpService> service;
};
http_pages make_http_pages(api_services& services, bool ask_token);

} // namespace cuzk
