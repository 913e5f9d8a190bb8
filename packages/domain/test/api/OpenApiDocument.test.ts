import { assert, describe, it } from "@effect/vitest"
import type { OpenApi } from "effect/http-api"
import { openApiDocument } from "../../src/api/OpenApiDocument.ts"
import { type ContractOperation, operations } from "../fixtures/Operations.ts"

const document = openApiDocument({ origin: "https://videos.example" })
const blank = (path: string) => path.replace(/\{[^}]+\}/g, "{}").replace(/(.)\/$/, "$1")

const methods = ["get", "post", "put", "delete"] as const

const byRoute = new Map<string, OpenApi.OpenAPISpecOperation>()
for (const [path, item] of Object.entries(document.paths)) {
  for (const method of methods) {
    const operation = item[method]
    if (operation !== undefined) byRoute.set(`${method.toUpperCase()} ${blank(path)}`, operation)
  }
}
const ours = ({ method, path }: ContractOperation): OpenApi.OpenAPISpecOperation => {
  const operation = byRoute.get(`${method} ${blank(path)}`)
  assert.isDefined(operation, `${method} ${path} is missing`)
  return operation!
}
const responsesOf = (operation: OpenApi.OpenAPISpecOperation) =>
  new Map(Object.entries(operation.responses).map(([status, response]) => [Number(status), response]))

/** Whatever a schema says of a key, wherever in its alternatives. */
const lookUp = (schema: unknown, key: string): unknown => {
  const { anyOf, ...own } = schema as Record<string, unknown>
  const alternatives = Array.isArray(anyOf) ? anyOf : []
  return own[key] ?? alternatives.map((one) => lookUp(one, key)).find((value) => value !== undefined)
}

describe("openApiDocument", () => {
  it.each(operations)("has $method $path as the contract says", (operation) => {
    const found = ours(operation)
    assert.strictEqual(found.operationId, operation.id)
    assert.deepStrictEqual<ReadonlyArray<string>>(found.tags, [operation.tag])
    for (const param of operation.params) {
      const names = [param.name, ...(param.aliases ?? [])].map((name) => name.toLowerCase())
      const mine = found.parameters.find((one) => one.in === param.in && names.includes(one.name.toLowerCase()))
      assert.isDefined(mine, `${param.in} ${param.name} is missing`)
      for (const key of ["minimum", "maximum", "minLength", "maxLength"] as const) {
        if (param[key] !== undefined) assert.strictEqual(lookUp(mine?.schema, key), param[key], `${param.name} ${key}`)
      }
    }
    const bodies = Object.values(found.requestBody?.content ?? {}).map((one) => Object(one.schema["properties"]))
    for (const name of operation.body) {
      assert.isTrue(
        bodies.some((properties) => Object.hasOwn(properties, name)),
        `body ${name} is missing`
      )
    }
    const responses = responsesOf(found)
    const success = operation.statuses.filter((status) => status < 300)
    assert.isTrue(success.length === 0 || success.some((status) => responses.has(status)), "no success status")
    for (const code of operation.codes) {
      const [status, type] = code.split(" ") as [string, string]
      assert.include(responses.get(Number(status))?.description ?? "", type)
    }
  })

  it("documents who may ask", () => {
    for (const operation of operations) {
      if (operation.auth === "none") continue
      const found = ours(operation)
      const wanted = operation.auth === "optional" ? [{}, { bearer: [] }] : [{ bearer: [] }]
      assert.deepStrictEqual<unknown>(found.security, wanted, operation.id)
      assert.include(responsesOf(found).get(401)?.description ?? "", "invalid_token")
    }
  })

  it("documents rate limits on every answer of the API, and a problem body on every error", () => {
    for (const [route, operation] of byRoute) {
      const responses = responsesOf(operation)
      assert.isDefined(responses.get(429)?.headers?.["Retry-After"], route)
      for (const [status, { content, headers }] of responses) {
        if (route.includes(" /api/") && status < 400) assert.isDefined(headers?.["X-RateLimit-Limit"], route)
        if (status < 400 || content?.["text/html"] !== undefined) continue
        // Engine.IO refuses with a body of its own.
        if (route.endsWith(" /socket.io") && status === 400) continue
        assert.deepStrictEqual(Object.keys(content ?? {}), ["application/problem+json"], `${route} ${status}`)
      }
    }
  })

  it("refers only to components it has", () => {
    const text = JSON.stringify(document)
    const names = new Set([...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map((match) => match[1]!))
    assert.isAbove(names.size, 15)
    for (const name of names) assert.isDefined(document.components.schemas[name], name)
  })

  it("gives every path parameter of a path, and no other", () => {
    for (const [route, operation] of byRoute) {
      const declared = operation.parameters.filter((one) => one.in === "path")
      assert.strictEqual(declared.length, route.split("{}").length - 1, route)
      for (const { name } of declared)
        assert.isTrue(Object.keys(document.paths).some((path) => path.includes(`{${name}}`)))
    }
  })

  it("names the instance and every tag used", () => {
    assert.deepStrictEqual(document.servers, [{ url: "https://videos.example" }])
    const tags = document.tags.map((tag) => tag.name)
    for (const operation of byRoute.values()) for (const tag of operation.tags) assert.include(tags, tag)
    assert.deepInclude(document.components.securitySchemes["bearer"], { type: "http", scheme: "bearer" })
  })

  it("says of every operation what it does, and who may call it", () => {
    for (const [route, { description = "", summary = "" }] of byRoute) {
      assert.isAbove(summary.length, 3, route)
      assert.match(
        description,
        /^(For everybody|For logged-in users|Needs the right [A-Z_]+: for administrators)/,
        route
      )
    }
    const { description } = byRoute.get("GET /api/v1/users/{}")!
    assert.strictEqual(description, "Needs the right MANAGE_USERS: for administrators and moderators.")
  })
})
