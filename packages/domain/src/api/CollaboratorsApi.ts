import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ChannelHandle } from "../ids/ActorHandle.ts"
import { CollaboratorId, invitation } from "../requests/OwnershipRequests.ts"
import { InvitedCollaborator, VideoChannelCollaboratorList } from "../wire/Collaborator.ts"
import { Authenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

const path = "/api/v1/video-channels/:channelHandle/collaborators"
const params = { channelHandle: ChannelHandle }
const one = { ...params, collaboratorId: CollaboratorId }

/** Who works on a channel besides its owner. */
export class CollaboratorsApi extends HttpApiGroup.make("collaborators", { topLevel: true })
  .add(
    HttpApiEndpoint.get("listVideoChannelCollaborators", path, { params, success: VideoChannelCollaboratorList })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "List the collaborators of a channel", problems: problems(400, 403, 404) }),
    HttpApiEndpoint.post("inviteVideoChannelCollaborator", `${path}/invite`, {
      params,
      payload: invitation,
      success: InvitedCollaborator
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Invite an account to work on a channel",
        rightOverOthers: "CHANGE_VIDEO_OWNERSHIP",
        problems: problems(400, 403, 404, 409)
      }),
    HttpApiEndpoint.post("acceptVideoChannelCollaborator", `${path}/:collaboratorId/accept`, {
      params: one,
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Accept an invitation to a channel", problems: problems(400, 403, 404, 409) }),
    HttpApiEndpoint.post("rejectVideoChannelCollaborator", `${path}/:collaboratorId/reject`, {
      params: one,
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Decline an invitation to a channel", problems: problems(400, 403, 404, 409) }),
    HttpApiEndpoint.delete("removeVideoChannelCollaborator", `${path}/:collaboratorId`, {
      params: one,
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Remove a collaborator, or withdraw an invitation",
        rightOverOthers: "MANAGE_ANY_VIDEO_CHANNEL",
        problems: problems(400, 403, 404)
      })
  )
  .annotate(OpenApi.Title, "Video Channels") {}
