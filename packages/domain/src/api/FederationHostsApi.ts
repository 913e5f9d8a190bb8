import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { federationHostsQuery } from "../requests/FederationHostRequests.ts"
import { ServerHost } from "../requests/FollowRequests.ts"
import { FederationHostDetails, FederationHostList } from "../wire/FederationHost.ts"
import { Authenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

const hosts = "/api/v1/server/federation/hosts"
const right = "MANAGE_SERVER_FOLLOW"
const tag = "Federation"

/** Why a host has not received what it should have. */
export class FederationHostsApi extends HttpApiGroup.make("federationHosts", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getServerFederationHosts", hosts, {
      query: federationHostsQuery,
      success: FederationHostList
    })
      .middleware(Authenticated)
      .annotate(Docs, { tag, summary: "List hosts that activities are sent to", right, problems: problems(400, 403) }),
    HttpApiEndpoint.get("getServerFederationHost", `${hosts}/:host`, {
      params: { host: ServerHost },
      success: FederationHostDetails
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        tag,
        summary: "Get the state of deliveries to a host",
        right,
        problems: problems(400, 403, 404)
      }),
    HttpApiEndpoint.post("postServerFederationHostRetry", `${hosts}/:host/retry`, {
      params: { host: ServerHost },
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, { tag, summary: "Try a host again now", right, problems: problems(400, 403, 404) })
  )
  .annotate(OpenApi.Title, "Federation") {}
