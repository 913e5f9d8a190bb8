import { call } from "../../api/Call.ts"
import type { Output } from "../../api/Endpoints.ts"
import { text } from "../../i18n/Text.ts"
import { confirm } from "../../ui/Confirm.tsx"
import { actOnAll } from "../admin/Acts.ts"

const t = text("redundancy")

type MirroredVideo = Output<"GET /api/v1/server/redundancy/videos">["data"][number]
type Copy = MirroredVideo["redundancies"]["streamingPlaylists"][number]

/** Our mirrors of videos of others, or others' of ours, as the API names them. */
export type Target = "remote-videos" | "my-videos"

/** One mirror with its video. */
export interface Mirror extends Copy {
  readonly name: string
  readonly uuid: string
  readonly url: string
}

/** A page of mirrors; the total is that of their videos. */
export interface MirrorPage {
  readonly total: number
  readonly data: ReadonlyArray<Mirror>
}

/** The mirrors of a video, each for itself. */
export const mirrorsOf = ({ name, redundancies, url, uuid }: MirroredVideo): ReadonlyArray<Mirror> =>
  redundancies.streamingPlaylists.map((copy) => ({ ...copy, name, uuid, url }))

/** The host in an address; nothing where it is none. */
export const hostOf = (address: string): string => URL.parse(address)?.host ?? ""

/** Removes mirrors once the person has said yes. Whether any of them is gone. */
export const removeMirrors = async (target: Target, mirrors: ReadonlyArray<Mirror>): Promise<boolean> => {
  const named = { count: mirrors.length, name: mirrors[0]?.name ?? "" }
  const yes = await confirm({
    title: t("removeTitle", named),
    text: target === "remote-videos" ? t("removeOursText", named) : t("removeOthersText", named),
    action: t("remove"),
    danger: true
  })
  return (
    yes &&
    (await actOnAll(
      mirrors,
      ({ id }) => call("DELETE /api/v1/server/redundancy/videos/:redundancyId", { params: { redundancyId: id } }),
      (count) => t("removed", { count })
    ))
  )
}
