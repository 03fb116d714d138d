#include "gateway/http.hpp"

#include "actors/timeouts.hpp"
#include "gateway/json.hpp"

#include <kj/debug.h>

namespace cuzk {

namespace {

struct page {
  unsigned status = 200;
  const char* type = "text/plain; charset=utf-8";
  std::string body;
};

page error_page(const error& why) {
  return {static_cast<unsigned>(http_status(why.code) == 0 ? 503 : http_status(why.code)), "application/json",
          to_line({{"error", to_json(why)}}) + "\n"};
}

const char* reason(unsigned status) {
  switch (status) {
  case 200: return "OK";
  case 401: return "Unauthorized";
  case 404: return "Not Found";
  case 405: return "Method Not Allowed";
  case 503: return "Service Unavailable";
  default: return "Error";
  }
}

class page_service final : public kj::HttpService {
public:
  page_service(api_services& services, kj::HttpHeaderTable& table, kj::HttpHeaderId authorization, bool ask_token)
    : services_(services), table_(table), authorization_(authorization), ask_token_(ask_token) {}

  kj::Promise<void> request(kj::HttpMethod method, kj::StringPtr url, const kj::HttpHeaders& headers,
                            kj::AsyncInputStream&, Response& response) override {
    const std::string full = url.cStr();
    const bool head = method == kj::HttpMethod::HEAD;
    if (!head && method != kj::HttpMethod::GET)
      return send({405, "text/plain; charset=utf-8", "only GET and HEAD\n"}, head, response);
    const bool allowed = may_pass(headers);
    return answer(full.substr(0, full.find('?')), allowed).then([this, head, &response](page&& p) {
      return send(std::move(p), head, response);
    });
  }

private:
  bool may_pass(const kj::HttpHeaders& headers) const {
    if (!ask_token_)
      return true;
    const std::string expected = "Bearer " + std::string(services_.token.begin(), services_.token.end());
    std::uint8_t difference = 1;
    KJ_IF_MAYBE (given, headers.get(authorization_)) {
      difference = given->size() == expected.size() ? 0 : 1;
      for (std::size_t i = 0; i < expected.size() && i < given->size(); ++i)
        difference |= static_cast<std::uint8_t>(expected[i] ^ (*given)[i]);
    }
    return difference == 0;
  }

  kj::Promise<page> answer(const std::string& path, bool allowed) {
    if (path == "/healthz")
      return page{200, "text/plain; charset=utf-8", "ok\n"};
    if (path == "/readyz")
      return ready();
    if (path != "/status" && path != "/metrics")
      return error_page({errc::not_found, "no such page; there are /healthz, /readyz, /metrics and /status", path});
    if (!allowed)
      return error_page({errc::unauthorized, "a bearer token is needed", path});
    return path == "/status" ? status_page() : metrics();
  }

  kj::Promise<page> ready() {
    return services_.node.ask<node_status>(timeouts::query * 2, node_query{}).then([](result<node_status>&& status) {
      if (!status)
        return error_page(status.err());
      return status->ready ? page{200, "text/plain; charset=utf-8", "ready\n"}
                           : page{503, "text/plain; charset=utf-8", "not ready\n"};
    });
  }

  kj::Promise<page> status_page() {
    return services_.node.ask<node_status>(timeouts::query * 2, node_query{})
      .then([this](result<node_status>&& status) {
        if (!status)
          return error_page(status.err());
        auto document = to_json(*status);
        document["version"] = services_.version;
        return page{200, "application/json", to_line(document) + "\n"};
      });
  }

  kj::Promise<page> metrics() {
    return services_.node.ask<metrics_page>(timeouts::query, metrics_query{}).then([](result<metrics_page>&& m) {
      return m ? page{200, "text/plain; version=0.0.4; charset=utf-8", prometheus_text(*m)} : error_page(m.err());
    });
  }

  kj::Promise<void> send(page p, bool head, Response& response) {
    kj::HttpHeaders headers(table_);
    headers.set(kj::HttpHeaderId::CONTENT_TYPE, p.type);
    auto body = kj::heapString(p.body.c_str(), p.body.size());
    auto stream = response.send(p.status, reason(p.status), headers, body.size());
    if (head)
      return kj::READY_NOW;
    auto done = stream->write(body.begin(), body.size());
    return done.attach(kj::mv(stream), kj::mv(body));
  }

  api_services& services_;
  kj::HttpHeaderTable& table_;
  kj::HttpHeaderId authorization_;
  bool ask_token_;
};

} // namespace

http_pages make_http_pages(api_services& services, bool ask_token) {
  kj::HttpHeaderTable::Builder builder;
  const auto authorization = builder.add("Authorization");
  http_pages out;
  out.table = builder.build();
  out.service = kj::heap<page_service>(services, *out.table, authorization, ask_token);
  return out;
}

} // namespace cuzk
