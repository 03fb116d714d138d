#include "actors/services_production.hpp"

#include "actors/production_inputs.hpp"
#include "actors/production_keys.hpp"
#include "cuda/backend/cuda_backend.hpp"
#include "groth16/cpu_backend.hpp"
#include "groth16/random.hpp"
#include "groth16/verify.hpp"
#include "math/field_bytes.hpp"
#include "runtime/disk.hpp"

#include <chrono>

namespace cuzk {
namespace {

/// What the functions share. Lives as long as one of them.
struct production {
  production_config config;
  thread_pool& pool;
  std::vector<lane_device> lanes; ///< at least one
  circuit_table circuits;

  production(const production_config& c, thread_pool& p, std::vector<lane_device> l)
    : config(c), pool(p), lanes(std::move(l)), circuits(*lanes.front().backend, c.derived) {}
};
using production_ptr = std::shared_ptr<production>;

result<byte_counts> key_size(production& p, const std::string& circuit) {
  CUZK_TRY(known, p.circuits.find(circuit));
  const auto file = key_file(p.config, known->circuit->name());
  if (!file.present)
    return error{errc::params, "the key of " + file.circuit + " is not there", file.path};
  return known->need.key;
}

result<input_inspected> looked_at(production& p, const job_spec& spec, byte_view file) {
  CUZK_TRY(job, read_job(spec, file, p.config.max_input_bytes));
  CUZK_TRY(known, p.circuits.find(job.circuit));
  CUZK_CHECK(key_size(p, to_string(job.circuit)));
  input_inspected out;
  out.kind = to_string(job.circuit.kind);
  out.circuit = to_string(job.circuit);
  out.need = known->need;
  return out;
}

input_inspected inspect(production& p, const job_spec& spec, byte_view file) {
  auto out = looked_at(p, spec, file);
  if (out)
    return *std::move(out);
  input_inspected refusal;
  refusal.result = refused(std::move(out).err());
  return refusal;
}

status verify_proof(const proof_bytes& proof, const statement_handle& handle) {
  const auto* statement = dynamic_cast<const real_statement*>(handle.statement.get());
  const auto* key = dynamic_cast<const real_key*>(handle.key.get());
  if (!statement || !key)
    return internal_error("a proof without statement or key");
  const auto points = groth16::decode_proof(proof);
  if (!points)
    return error{errc::self_check_failed, points.err().text, points.err().where};
  return groth16::verify(key->key->vk(), *points, statement->inputs);
}

result<fr> scalar(bool fixed, const bytes32& given, const char* name) {
  if (!fixed)
    return groth16::random_scalar();
  if (const auto value = from_le_bytes<fr>(given))
    return *value;
  return bad_input(name, "not below the order of the group");
}

result<groth16::prove_request> to_request(const production& p, const prove_partition& order,
                                          const witness_handle& handle) {
  const auto* witness = dynamic_cast<const real_witness*>(handle.witness.get());
  const auto* key = dynamic_cast<const real_key*>(handle.key.get());
  if (!witness || !key)
    return internal_error("an order without witness or key");
  groth16::prove_request request;
  request.key = key->key;
  request.circuit = key->circuit;
  request.witness = witness->witness;
  CUZK_TRY(r, scalar(order.fixed_rs, order.r, "r"));
  CUZK_TRY(s, scalar(order.fixed_rs, order.s, "s"));
  request.r = r;
  request.s = s;
  request.derived = p.config.derived;
  return request;
}

std::int64_t wall_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

void add_inputs(prover_services& s, const production_ptr& p) {
  s.inspect = [p](const job_spec& spec, byte_view file) { return inspect(*p, spec, file); };
  s.read_input = [p](const bytes32& name) -> result<std::shared_ptr<const bytes>> {
    CUZK_TRY(data, store::read_input(p->config.state_dir, name));
    return std::make_shared<const bytes>(std::move(data));
  };
  s.prepare = [p](const job_spec& spec, const bytes& file) {
    return prepare_job(spec, file, p->config.max_input_bytes, p->circuits, p->pool);
  };
  s.synthesize = [p](const prepared_input& input, std::uint32_t partition,
                     const std::atomic<bool>& stop) -> result<made_witness> {
    const auto* real = dynamic_cast<const real_input*>(&input);
    if (!real)
      return internal_error("an input of another making");
    return make_witness(*real, partition, stop, p->pool);
  };
}

lane_device cpu_lane(thread_pool& pool) {
  lane_device out;
  out.backend = std::make_shared<groth16::cpu_backend>(pool);
  out.info.name = out.info.device = "cpu";
  out.info.credits = out.backend->credits();
  out.depth = 1; // the next waits in the lane, where it can be called back
  return out;
}

result<lane_device> gpu_lane(const cuda::device_info& device, thread_pool& pool) {
  CUZK_TRY(backend, cuda::make_backend(device, pool));
  lane_device out;
  out.backend = std::move(backend);
  out.info.name = "cuda:" + std::to_string(device.index);
  out.info.device = device.name + " " + device.uuid;
  out.info.device_bytes = device.total_bytes;
  out.info.credits = out.backend->credits();
  return out;
}

/// A lane for each name, in order; every device once.
result<std::vector<lane_device>> make_lanes(const std::vector<std::string>& names, thread_pool& pool) {
  std::vector<lane_device> out;
  const auto add = [&](lane_device lane) {
    for (const auto& known : out)
      if (known.info.name == lane.info.name)
        return;
    lane.info.lane = lane_id{static_cast<std::uint32_t>(out.size())};
    out.push_back(std::move(lane));
  };
  for (const auto& name : names) {
    if (name == "cpu") {
      add(cpu_lane(pool));
      continue;
    }
    CUZK_TRY(there, cuda::list_devices());
    if (name != "cuda:all" || there.empty()) {
      CUZK_TRY(device, cuda::find_device(there, name));
      there = {device};
    }
    for (const auto& device : there) {
      CUZK_TRY(lane, gpu_lane(device, pool));
      add(std::move(lane));
    }
  }
  return out;
}

/// Opens a key and has it brought to the devices; they give it back with the last handle.
result<opened_key> open_for_lanes(production& p, const std::string& circuit) {
  CUZK_TRY(opened, open_key(p.config, p.circuits, circuit, p.pool));
  auto key = std::dynamic_pointer_cast<const real_key>(opened.key);
  std::vector<std::shared_ptr<groth16::backend>> devices;
  for (const auto& lane : p.lanes)
    if (lane.info.device_bytes != 0) // the processor reads the mapping
      devices.push_back(lane.backend);
  for (const auto& device : devices)
    device->prepare(key->key, key->circuit, [](const status&) {}); // what fails is said to the first proof
  opened.key = std::shared_ptr<const loaded_key>(key.get(), [key, devices](const loaded_key*) mutable {
    for (const auto& device : devices)
      device->release(*key->key);
    key = {};
  });
  return opened;
}

void add_proving(prover_services& s, const production_ptr& p) {
  s.verify = verify_proof;
  s.open_key = [p](const std::string& circuit) { return open_for_lanes(*p, circuit); };
  s.to_request = [p](const prove_partition& order, const witness_handle& handle) {
    return to_request(*p, order, handle);
  };
  s.encode = [](const groth16::raw_proof& proof) -> result<proof_bytes> { return groth16::encode_proof(proof); };
  s.lanes = p->lanes;
}

} // namespace

result<prover_services> production_services(const production_config& config, thread_pool& pool) {
  CUZK_CHECK(make_private_folder(config.cache_dir));
  CUZK_TRY(lanes, make_lanes(config.devices, pool));
  const auto p = std::make_shared<production>(config, pool, std::move(lanes));
  prover_services s;
  s.need_of = [p](const std::string& circuit) -> result<work_need> {
    CUZK_TRY(known, p->circuits.find(circuit));
    return known->need;
  };
  s.key_size_of = [p](const std::string& circuit) { return key_size(*p, circuit); };
  s.wall_ms = wall_ms;
  s.compute = [&pool](std::function<void()> task) { pool.submit(std::move(task)); };
  add_inputs(s, p);
  add_proving(s, p);
  return s;
}

} // namespace cuzk
