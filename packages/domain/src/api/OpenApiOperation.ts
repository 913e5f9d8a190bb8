import { Context, type Schema } from "effect"
import { type HttpApiEndpoint, type HttpApiGroup, OpenApi } from "effect/http-api"
import { hasRight, type UserRight } from "../enums/UserRight.ts"
import { UserRole } from "../enums/UserRole.ts"
import { documentedKey, type JsonSchema } from "../fields/Field.ts"
import { documentedQueryKey } from "../requests/Query.ts"
import { Authenticated, MaybeAuthenticated } from "./Authentication.ts"
import { Docs, type EndpointDocs } from "./Documentation.ts"
import { answerResponse, problemResponses, rateLimitHeaders } from "./OpenApiResponses.ts"

type Operation = OpenApi.OpenAPISpecOperation

/** What a field says of itself, see `documentedKey`. */
const documentedOf = (ast: Schema.Top["ast"]): JsonSchema | undefined =>
  (ast.annotations as Record<string, unknown> | undefined)?.[documentedKey] as JsonSchema | undefined

/** Parameters of a query that is read in one go, see `query`. */
const documentedQueryOf = (schema: Schema.Top | undefined): Readonly<Record<string, JsonSchema>> => {
  const annotations = schema?.ast.annotations as Record<string, unknown> | undefined
  return (annotations?.[documentedQueryKey] ?? {}) as Readonly<Record<string, JsonSchema>>
}

const propertiesOf = (schema: Schema.Top | undefined) =>
  schema !== undefined && schema.ast._tag === "Objects" ? schema.ast.propertySignatures : []

/** Schema of a body whose fields document themselves; undefined when one does not. */
const bodySchema = (schema: Schema.Top): JsonSchema | undefined => {
  const properties: Record<string, JsonSchema> = {}
  const required: Array<string> = []
  for (const { name, type } of propertiesOf(schema)) {
    const documented = documentedOf(type)
    if (documented === undefined) return undefined
    properties[String(name)] = documented
    if (type.context?.isOptional !== true) required.push(String(name))
  }
  return { type: "object", properties, ...(required.length === 0 ? {} : { required }) }
}

const patchParameters = (operation: Operation, endpoint: HttpApiEndpoint.Top): void => {
  const documented = new Map<string, JsonSchema>()
  const add = (where: string, schema: Schema.Top | undefined) => {
    for (const { name, type } of propertiesOf(schema)) {
      const own = documentedOf(type)
      if (own !== undefined) documented.set(`${where} ${String(name)}`, own)
    }
  }
  add("path", endpoint.params)
  add("query", endpoint.query)
  add("header", endpoint.headers)
  const parameters = operation.parameters.map((parameter) => {
    const own = documented.get(`${parameter.in} ${parameter.name}`)
    if (own === undefined) return parameter
    const { description, ...schema } = own
    return { ...parameter, ...(typeof description === "string" ? { description } : {}), schema }
  })
  for (const [name, schema] of Object.entries(documentedQueryOf(endpoint.query))) {
    parameters.push({ name, in: "query", required: false, schema })
  }
  operation.parameters = parameters
}

const patchBody = (operation: Operation, endpoint: HttpApiEndpoint.Top, docs: EndpointDocs): void => {
  const content: OpenApi.OpenApiSpecContent = {}
  for (const [contentType, { schemas }] of endpoint.payload) {
    const schema = bodySchema(schemas[0])
    if (schema !== undefined) content[contentType] = { schema }
  }
  for (const [contentType, schema] of Object.entries(docs.body ?? {})) content[contentType] = { schema }
  if (Object.keys(content).length > 0) operation.requestBody = { required: true, content }
}

const authOf = (endpoint: HttpApiEndpoint.Top, docs: EndpointDocs): "required" | "optional" | undefined => {
  const middlewares: ReadonlySet<unknown> = endpoint.middlewares
  if (middlewares.has(Authenticated)) return "required"
  return middlewares.has(MaybeAuthenticated) ? "optional" : docs.auth
}

const patchResponses = (operation: Operation, endpoint: HttpApiEndpoint.Top, docs: EndpointDocs): void => {
  const responses: OpenApi.OpenAPISpecResponses =
    docs.answers === undefined
      ? operation.responses
      : Object.fromEntries(Object.entries(docs.answers).map(([status, answer]) => [status, answerResponse(answer)]))
  if (endpoint.path.startsWith("/api/")) {
    for (const response of Object.values(responses)) response.headers = { ...response.headers, ...rateLimitHeaders }
  }
  operation.responses = { ...responses, ...problemResponses(docs.problems ?? {}, authOf(endpoint, docs)) }
}

const roleNames = [
  [UserRole.administrator, "administrators"],
  [UserRole.moderator, "moderators"]
] as const

const rolesWith = (right: UserRight): string =>
  roleNames
    .filter(([role]) => hasRight(role, right))
    .map(([, name]) => name)
    .join(" and ")

/** Who may call, and the codes of its typed problems. */
const describe = (auth: "required" | "optional" | undefined, docs: EndpointDocs): string => {
  const { problems = {}, right, rightOverOthers } = docs
  const others =
    rightOverOthers === undefined
      ? undefined
      : rightOverOthers === "administrators"
        ? "administrators"
        : `${rolesWith(rightOverOthers)} (${rightOverOthers})`
  const who =
    right !== undefined
      ? `Needs the right ${right}: for ${rolesWith(right)}.`
      : others !== undefined
        ? `For logged-in users, about what is theirs; for ${others} about what belongs to others, too.`
        : auth === "required"
          ? "For logged-in users."
          : auth === "optional"
            ? "For everybody; a token adds what its user may see."
            : "For everybody."
  const codes = Object.entries(problems).flatMap(([status, names]) => names.map((name) => `\`${name}\` (${status})`))
  return codes.length === 0 ? who : `${who} Fails with ${codes.join(", ")}.`
}

/**
 * Completes the operation that HttpApi made of an endpoint by what its `Docs` and fields say: tag, words, parameters,
 * body, security, problems.
 */
export const documentOperation = (
  operation: Operation,
  endpoint: HttpApiEndpoint.Top,
  group: HttpApiGroup.Top
): void => {
  const docs = Context.getOrUndefined(endpoint.annotations, Docs)
  if (docs === undefined) throw new Error(`${endpoint.identifier} has no documentation`)
  const auth = authOf(endpoint, docs)
  operation.tags = [docs.tag ?? Context.getOrElse(group.annotations, OpenApi.Title, () => group.identifier)]
  operation.summary = docs.summary
  if (docs.deprecated === true) operation.deprecated = true
  operation.description = describe(auth, docs)
  operation.security = auth === undefined ? [] : auth === "required" ? [{ bearer: [] }] : [{}, { bearer: [] }]
  patchParameters(operation, endpoint)
  patchBody(operation, endpoint, docs)
  patchResponses(operation, endpoint, docs)
}
