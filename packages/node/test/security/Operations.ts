import { Api } from "@kinora/domain/api/Api"
import { Documented } from "@kinora/domain/api/Documented"
import { Docs } from "@kinora/domain/api/Documentation"
import type { UserRight } from "@kinora/domain/enums/UserRight"
import { Context, Effect } from "effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { ask } from "./RunningNode.ts"

export interface Parameter {
  readonly name: string
  readonly in: "path" | "query" | "header"
  readonly schema?: unknown
}

/** One operation of the running node's own description. */
export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  /** Whether a token is needed, taken when it is there, or not looked at. */
  readonly token: "needed" | "taken" | "ignored"
  /** The right of a role that is needed besides a token, as the contract has it. */
  readonly right: UserRight | undefined
  /** Who may do it with things of others. */
  readonly rightOverOthers: UserRight | "administrators" | undefined
  readonly parameters: ReadonlyArray<Parameter>
  /** Whether it reads a body: what reads none is not moved by one. */
  readonly takesBody: boolean
  /** Fields of the JSON it reads, with their schemas. */
  readonly body: JsonBody | undefined
  /** Every status it describes. */
  readonly statuses: ReadonlySet<number>
}

export interface JsonBody {
  readonly properties: Readonly<Record<string, unknown>>
  readonly required: ReadonlyArray<string>
}

interface Described {
  readonly operationId: string
  readonly security?: ReadonlyArray<Record<string, unknown>>
  readonly parameters?: ReadonlyArray<Parameter>
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema?: Partial<JsonBody> } | undefined>>
  }
  readonly responses: Readonly<Record<string, unknown>>
}

const bodyOf = ({ requestBody }: Described): JsonBody | undefined => {
  const json = requestBody?.content["application/json"]
  return json === undefined ? undefined : { properties: {}, required: [], ...json.schema }
}

const tokenOf = ({ security = [] }: Described): Operation["token"] => {
  if (security.length === 0) return "ignored"
  return security.some((one) => Object.keys(one).length === 0) ? "taken" : "needed"
}

const docs = new Map(
  [...Object.values(Api.groups), ...Object.values(Documented.groups)]
    .flatMap((group) => Object.values(group.endpoints as Record<string, HttpApiEndpoint.Top>))
    .map((endpoint) => [endpoint.identifier, Context.getOrUndefined(endpoint.annotations, Docs)])
)

/** Every operation the node describes at `/api/v1/openapi.json`. */
export const operations = Effect.gen(function* () {
  const { text } = yield* ask("GET", "/api/v1/openapi.json")
  const document = JSON.parse(text) as { readonly paths: Record<string, Record<string, Described>> }
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]): Operation => ({
      id: described.operationId,
      method: method.toUpperCase(),
      path,
      token: tokenOf(described),
      right: docs.get(described.operationId)?.right,
      rightOverOthers: docs.get(described.operationId)?.rightOverOthers,
      parameters: described.parameters ?? [],
      takesBody: described.requestBody !== undefined,
      body: bodyOf(described),
      statuses: new Set(Object.keys(described.responses).map(Number))
    }))
  )
})

/** Names that exist on every instance, for the parameters of paths. */
export const known: Readonly<Record<string, string>> = {
  name: "root",
  accountName: "root",
  channelHandle: "root_channel",
  handle: "root_channel",
  nameWithHost: "root",
  state: "active",
  version: "2.0"
}

/** The path with each parameter replaced. */
export const fill = (path: string, values: Readonly<Record<string, string>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "1")

/** The same, where an `id` is that of a video unless the path is about users: then it is the administrator's, the first. */
export const fillAbout = (path: string, values: Readonly<Record<string, string>>): string =>
  fill(path, path.startsWith("/api/v1/users/{id}") ? { ...values, id: "1" } : values)
