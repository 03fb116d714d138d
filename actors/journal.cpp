#include "actors/journal.hpp"

#include "actors/actor_kit.hpp"
#include "actors/directory.hpp"
#include "actors/journal_facts.hpp"

namespace cuzk {

namespace {

/// A message to itself ends a group: what arrived before it is written in one transaction.
using journal_impl = journal_actor::extend<reacts_to<timer_fired>>;

struct pending_facts {
  append_facts ask;
  input_handle input;
};

struct journal_body {
  static constexpr const char* name = "journal";
  journal_impl::pointer self;
  services_ptr services;
  directory_ptr dir{};
  std::vector<pending_facts> group{};

  void add(const append_facts& ask, const input_handle& input) {
    group.push_back({ask, input});
    if (group.size() == 1)
      caf::anon_send(caf::actor_cast<journal_impl>(self), timer_fired{});
  }

  cuzk::status write(std::span<const store::fact> facts) {
    return guarded([&] { return services->journal->append(facts); });
  }

  void commit() {
    const auto batch = std::exchange(group, {});
    std::vector<store::fact> facts;
    facts_stored stored;
    for (const auto& p : batch)
      for (const auto& f : p.ask.facts) {
        facts.push_back(to_store(f, p.input));
        stored.seqs.push_back(f.seq);
      }
    if (facts.empty())
      return;
    if (write(facts))
      self->send(dir->tracker, stored);
    else
      one_by_one(batch);
  }

  // The group was refused as a whole: one bad fact must not take the others with it.
  void one_by_one(const std::vector<pending_facts>& batch) {
    for (const auto& p : batch)
      for (const auto& f : p.ask.facts) {
        const store::fact row = to_store(f, p.input);
        auto done = write({&row, 1});
        if (done || (done.err().code == errc::conflict && is_there(f)))
          self->send(dir->tracker, facts_stored{{f.seq}});
        else
          self->send(dir->tracker, facts_refused{{f.seq}, done.err()});
      }
  }

  // An acceptance told twice, because the first answer was lost with a journal that died.
  bool is_there(const journal_fact& f) {
    const auto jobs = guarded([&] { return services->journal->load(); });
    return jobs && std::any_of(jobs->begin(), jobs->end(), [&](const store::stored_job& j) {
             return j.job.job == number(f.job) && j.job.request_id == f.request_id &&
                    j.job.payload_digest == f.payload_digest;
           });
  }

  result<journal_contents> read() {
    journal_contents out;
    CUZK_TRY(jobs, services->journal->load());
    CUZK_TRY(next, services->journal->next_job());
    out.next_job = next;
    for (const auto& j : jobs) {
      CUZK_TRY(facts, from_store(j));
      out.facts.insert(out.facts.end(), facts.begin(), facts.end());
    }
    return out;
  }

  // Answers whoever asked, for the tracker may be a new one this actor has not heard of yet.
  void load() {
    commit();
    const auto to = caf::actor_cast<tracker_actor>(self->current_sender());
    auto contents = guarded([&] { return read(); });
    if (!contents) {
      journal_contents failed;
      failed.result = refused(std::move(contents).err());
      return self->send(to, std::move(failed));
    }
    self->send(to, *std::move(contents));
  }
};

journal_impl::behavior_type journal(journal_impl::stateful_pointer<held<journal_body>> self, services_ptr services) {
  auto& body = self->state.init(journal_body{self, std::move(services)});
  return {
    [&body](const append_facts& ask, const input_handle& input) { body.add(ask, input); },
    [&body](const load_journal&) { body.load(); },
    [&body](const directory_ptr& next) { body.dir = next; },
    [&body](const timer_fired&) { body.commit(); },
  };
}

} // namespace

journal_actor spawn_journal(caf::actor_system& system, services_ptr services, bool detached) {
  return detached ? system.spawn<caf::detached>(journal, std::move(services))
                  : system.spawn(journal, std::move(services));
}

} // namespace cuzk
