import type { ConfigProblem } from "./ConfigInvalid.ts"
import type { ConfigTree } from "./Keys.ts"
import { nodeRoles } from "./keys/Server.ts"
import type { Written } from "./Source.ts"

/** Settings that are right by themselves and contradict each other. */
export const findContradictions = (
  { cluster }: ConfigTree,
  set: ReadonlyMap<string, Written>
): ReadonlyArray<ConfigProblem> => {
  const roles = set.get("cluster.roles")
  if (roles === undefined) return []
  const missing = nodeRoles.filter((role) => !cluster.roles.includes(role))
  const problem = { path: "cluster.roles", origin: roles.origin, accepts: undefined }
  if (missing.length === nodeRoles.length) return [{ ...problem, problem: "a node without a role does nothing" }]
  if (missing.length === 0 || cluster.enabled) return []
  return [{ ...problem, problem: `nobody does the rest (${missing.join(", ")}): set cluster.enabled on each node` }]
}
