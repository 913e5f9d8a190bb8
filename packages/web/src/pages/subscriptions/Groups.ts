import { call } from "../../api/Call.ts"
import type { Output } from "../../api/Endpoints.ts"
import { text } from "../../i18n/Text.ts"
import { confirm } from "../../ui/Confirm.tsx"
import { act, actOnAll } from "../admin/Acts.ts"

const t = text("mySubscriptions")

/** A group in which the user sorts channels. */
export type Group = Output<"GET /api/v1/users/me/subscription-groups">["data"][number]

/** A channel that the user follows. */
export type Followed = Output<"GET /api/v1/users/me/subscriptions">["data"][number]

type Named = Pick<Followed, "name" | "host">

/** A channel as the API and its groups name it. */
export const handleOf = ({ host, name }: Named): string => `${name}@${host}`

/** The address of the page, for what is in a group. */
export const addressOf = (group: number | undefined, view: "videos" | "channels" = "videos"): string => {
  const query = new URLSearchParams({
    ...(view === "channels" ? { view } : {}),
    ...(group === undefined ? {} : { group: String(group) })
  }).toString()
  return `/my/subscriptions${query === "" ? "" : `?${query}`}`
}

const change = (group: Group, body: { readonly [name in "addChannels" | "removeChannels"]?: ReadonlyArray<string> }) =>
  call("PUT /api/v1/users/me/subscription-groups/:groupId", { params: { groupId: group.id }, body })

/** Puts channels into a group. Whether that went well. */
export const addTo = (group: Group, channels: ReadonlyArray<Named>): Promise<boolean> =>
  act(change(group, { addChannels: channels.map(handleOf) }), t("added", { count: channels.length, group: group.name }))

/** Takes channels out of a group. Whether that went well. */
export const removeFrom = (group: Group, channels: ReadonlyArray<Named>): Promise<boolean> =>
  act(
    change(group, { removeChannels: channels.map(handleOf) }),
    t("removed", { count: channels.length, group: group.name })
  )

/** Makes a group, or gives it another name. */
export const saveGroup = (group: Group | undefined, name: string, channels: ReadonlyArray<Named>) =>
  group === undefined
    ? call("POST /api/v1/users/me/subscription-groups", { body: { name, channels: channels.map(handleOf) } })
    : call("PUT /api/v1/users/me/subscription-groups/:groupId", { params: { groupId: group.id }, body: { name } })

/** Deletes a group, when the person is sure. Whether it is gone. */
export const deleteGroup = async (group: Group): Promise<boolean> => {
  const yes = await confirm({
    title: t("deleteAsk", { group: group.name }),
    text: t("deleteText"),
    action: t("delete"),
    danger: true
  })
  if (!yes) return false
  const answer = call("DELETE /api/v1/users/me/subscription-groups/:groupId", { params: { groupId: group.id } })
  return act(answer, t("deleted", { group: group.name }))
}

/** Ends subscriptions, when the person is sure. Whether any has ended. */
export const unsubscribe = async (channels: ReadonlyArray<Followed>): Promise<boolean> => {
  const yes = await confirm({
    title: t("unsubscribeAsk", { count: channels.length, name: channels[0]?.displayName ?? "" }),
    text: t("unsubscribeText"),
    action: t("unsubscribe"),
    danger: true
  })
  if (!yes) return false
  return actOnAll(
    channels,
    (channel) =>
      call("DELETE /api/v1/users/me/subscriptions/:subscriptionHandle", {
        params: { subscriptionHandle: handleOf(channel) }
      }),
    (count) => t("unsubscribed", { count })
  )
}
