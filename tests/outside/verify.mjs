// Verifies a Groth16 proof in snarkjs-style JSON (curve bls12381) with @noble/curves.
// Usage: node verify.mjs DIR [--damage N]
//   DIR holds verification_key.json, proof.json, public.json, as `cuzk export snarkjs` writes them.
//   --damage N also checks that N damaged copies are refused. Exit status 0 when every verdict is right.
import {readFileSync} from "node:fs";
import {join} from "node:path";
import {bls12_381 as bls} from "@noble/curves/bls12-381";

const G1 = bls.G1.ProjectivePoint, G2 = bls.G2.ProjectivePoint, Fp12 = bls.fields.Fp12;
const r = bls.params.r;

const g1 = ([x, y, z]) => {
  const p = new G1(BigInt(x), BigInt(y), BigInt(z));
  p.assertValidity();
  return p;
};
const fp2 = ([a, b]) => bls.fields.Fp2.create({c0: BigInt(a), c1: BigInt(b)});
const g2 = ([x, y, z]) => {
  const p = new G2(fp2(x), fp2(y), fp2(z));
  p.assertValidity();
  return p;
};

/// e(A, B) = e(alpha, beta) e(IC(x), gamma) e(C, delta). Throws where a point is not one.
function verify(vk, proof, inputs) {
  if (vk.curve !== "bls12381" || vk.protocol !== "groth16")
    throw new Error(`not a groth16 key on bls12381: ${vk.protocol} ${vk.curve}`);
  if (inputs.length !== vk.nPublic || vk.IC.length !== vk.nPublic + 1)
    throw new Error(`key takes ${vk.nPublic} inputs, got ${inputs.length}`);
  let ic = g1(vk.IC[0]);
  inputs.forEach((text, i) => {
    const x = BigInt(text);
    if (x < 0n || x >= r)
      throw new Error(`input ${i} is not canonical`);
    if (x !== 0n)
      ic = ic.add(g1(vk.IC[i + 1]).multiply(x));
  });
  const product = bls.pairingBatch([
    {g1: g1(proof.pi_a).negate(), g2: g2(proof.pi_b)},
    {g1: g1(vk.vk_alpha_1), g2: g2(vk.vk_beta_2)},
    {g1: ic, g2: g2(vk.vk_gamma_2)},
    {g1: g1(proof.pi_c), g2: g2(vk.vk_delta_2)},
  ]);
  return Fp12.eql(product, Fp12.ONE);
}

const accepts = (vk, proof, inputs) => {
  try {
    return verify(vk, proof, inputs);
  } catch {
    return false;
  }
};

const points = [["pi_a", g1], ["pi_c", g1], ["pi_b", g2]];
const affine1 = (p) => [p.x.toString(), p.y.toString(), "1"];
const affine2 = (p) => [[p.x.c0.toString(), p.x.c1.toString()], [p.y.c0.toString(), p.y.c1.toString()], ["1", "0"]];

/// The k-th damage: points replaced by other points of the group, coordinates changed, inputs changed or missing.
function damage(k, proof, inputs) {
  const p = structuredClone(proof), x = [...inputs];
  const [name, read] = points[k % 3];
  const write = name === "pi_b" ? affine2 : affine1;
  switch (k % 5) {
    case 0: p[name] = write(read(p[name]).negate()); break;
    case 1: p[name] = write(read(p[name]).double()); break;
    case 2: x[k % x.length] = ((BigInt(x[k % x.length]) + 1n) % r).toString(); break;
    case 3:
      if (name === "pi_b") p[name][1][0] = (BigInt(p[name][1][0]) + 1n).toString();
      else p[name][0] = (BigInt(p[name][0]) + 1n).toString();
      break;
    case 4: x.pop(); break;
  }
  return [p, x];
}

const [dir, flag, count] = process.argv.slice(2);
const load = (name) => JSON.parse(readFileSync(join(dir, name), "utf8"));
const vk = load("verification_key.json"), inputs = load("public.json");
// Several partitions: proof.json is a list and public.json a list of lists.
const proofs = [load("proof.json")].flat();
const rows = Array.isArray(inputs[0]) ? inputs : [inputs];
let wrong = 0;
proofs.forEach((proof, i) => {
  const good = accepts(vk, proof, rows[i]);
  console.log(`proof ${i}: ${good ? "valid" : "INVALID"}`);
  wrong += !good;
  for (let k = 0; flag === "--damage" && k < Number(count); ++k) {
    const [p, x] = damage(k, proof, rows[i]);
    if (accepts(vk, p, x)) {
      console.log(`proof ${i}: damaged copy ${k} was accepted`);
      ++wrong;
    }
  }
  if (flag === "--damage")
    console.log(`proof ${i}: ${count} damaged copies judged`);
});
process.exit(wrong ? 1 : 0);
