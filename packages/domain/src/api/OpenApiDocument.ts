import { HttpApi, type HttpApiGroup, OpenApi } from "effect/http-api"
import { version } from "../Version.ts"
import { ProblemDocument } from "../wire/ProblemDocument.ts"
import { Api } from "./Api.ts"
import { Documented } from "./Documented.ts"
import { documentOperation } from "./OpenApiOperation.ts"
import { tagDescriptions } from "./OpenApiTags.ts"

const methods = ["get", "post", "put", "delete"] as const

const documentPath = (path: string): string => path.replace(/:(\w+)\??/g, "{$1}")

const documentOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): OpenApi.OpenAPISpec => {
  const document = OpenApi.fromApi(api)
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group }) => {
      const method = methods.find((method) => method === endpoint.method.toLowerCase())
      const operation = method && document.paths[documentPath(endpoint.path)]?.[method]
      if (operation === undefined) throw new Error(`${endpoint.method} ${endpoint.path} is not in the document`)
      documentOperation(operation, endpoint, group)
    }
  })
  return document
}

const tagsOf = (paths: OpenApi.OpenAPISpecPaths): Array<OpenApi.OpenAPISpecTag> => {
  const used = new Set(Object.values(paths).flatMap((item) => methods.flatMap((method) => item[method]?.tags ?? [])))
  return [...used].sort().map((name) => ({ name, description: tagDescriptions[name] ?? name }))
}

/**
 * The OpenAPI 3.1 document of every route: the JSON API and the raw routes. Made anew at each call, which takes some
 * ten milliseconds: callers keep its text.
 *
 * @param options.origin where the instance answers, such as `https://videos.example`
 */
export const openApiDocument = (options: { readonly origin: string }): OpenApi.OpenAPISpec => {
  const api = documentOf(Api.annotate(HttpApi.AdditionalSchemas, [ProblemDocument]))
  const raw = documentOf(Documented)
  const paths: OpenApi.OpenAPISpecPaths = { ...api.paths }
  for (const [path, item] of Object.entries(raw.paths)) paths[path] = { ...paths[path], ...item }
  return {
    openapi: "3.1.0",
    info: {
      title: "Kinora",
      version,
      description: "A federated video host speaking the REST API, federation and runner protocols of PeerTube 8.3.",
      license: { name: "AGPL-3.0-or-later", identifier: "AGPL-3.0-or-later" }
    },
    servers: [{ url: options.origin }],
    security: [],
    tags: tagsOf(paths),
    paths,
    components: {
      schemas: { ...raw.components.schemas, ...api.components.schemas },
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "The access token of `POST /api/v1/users/token`" }
      }
    }
  }
}
