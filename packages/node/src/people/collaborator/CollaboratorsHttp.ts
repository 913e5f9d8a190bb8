import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { jsonMember } from "@kinora/domain/wire/Json"
import { Effect } from "effect"
import { type Answers, answer, jsonText } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { Collaboration } from "./Collaboration.ts"

/** The endpoints of channel collaborators. */
export const layer = apiGroup(
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
            return jsonText(jsonMember("collaborator", made))
          })
        ),
      acceptVideoChannelCollaborator: ({ params }) => reply(params.channelHandle, params.collaboratorId, true),
      rejectVideoChannelCollaborator: ({ params }) => reply(params.channelHandle, params.collaboratorId, false),
      removeVideoChannelCollaborator: ({ params }) =>
        answer(
          Effect.flatMap(CurrentUser, (user) => collaboration.remove(user, params.channelHandle, params.collaboratorId))
        )
    } satisfies Answers<"collaborators">)
  })
)
