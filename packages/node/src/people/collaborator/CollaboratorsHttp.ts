import { Api } from "@kinora/domain/api/Api"
import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { ChannelRows } from "@kinora/storage/people/channel/ChannelRows"
import { Collaborators } from "@kinora/storage/people/collaborator/Collaborators"
import { Recipients } from "@kinora/storage/video/ownership/Recipients"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer, jsonText } from "../../platform/http/Answer.ts"
import { Collaboration } from "./Collaboration.ts"

const services = Collaboration.layer.pipe(Layer.provide([Collaborators.layer, Recipients.layer, ChannelRows.layer]))

/** Who works on a channel besides its owner. */
export const layer = HttpApiBuilder.group(
  Api,
  "collaborators",
  Effect.fnUntraced(function* (handlers) {
    const collaboration = yield* Collaboration

    const reply = (handle: Parameters<typeof collaboration.answer>[1], id: number, accepts: boolean) =>
      answer(Effect.flatMap(CurrentUser, (user) => collaboration.answer(user, handle, id, accepts)))

    return handlers.handleAll({
      listVideoChannelCollaborators: ({ params }) =>
        answer(
          Effect.flatMap(CurrentUser, (user) => Effect.map(collaboration.list(user, params.channelHandle), jsonText))
        ),
      inviteVideoChannelCollaborator: ({ params, payload }) =>
        answer(
          Effect.gen(function* () {
            const user = yield* CurrentUser
            const made = yield* collaboration.invite(user, params.channelHandle, payload.accountHandle)
            return jsonText(`{"collaborator":${made}}`)
          })
        ),
      acceptVideoChannelCollaborator: ({ params }) => reply(params.channelHandle, params.collaboratorId, true),
      rejectVideoChannelCollaborator: ({ params }) => reply(params.channelHandle, params.collaboratorId, false),
      removeVideoChannelCollaborator: ({ params }) =>
        answer(
          Effect.flatMap(CurrentUser, (user) => collaboration.remove(user, params.channelHandle, params.collaboratorId))
        )
    })
  })
).pipe(Layer.provide(services))
