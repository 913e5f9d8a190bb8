import { useState } from "preact/hooks"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { day } from "../../i18n/Units.ts"
import { useLoad } from "../../navigation/Load.ts"
import { loadMe } from "../../session/Me.ts"
import { Avatar } from "../../ui/Avatar.tsx"
import { Button } from "../../ui/Button.tsx"
import { confirm } from "../../ui/Confirm.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { act } from "../admin/Acts.ts"
import { AcceptVideo } from "./AcceptVideo.tsx"
import { type Invitation, invitations, type Offer, offeredChannels, offeredVideos } from "./Offers.ts"
import { Section } from "./Section.tsx"

const t = text("ownership")

/** What is done with something that waits for an answer. */
const Answers = ({
  name,
  onAccept,
  onRefuse
}: {
  readonly name: string
  readonly onAccept: () => void
  readonly onRefuse: () => void
}) => (
  <span class="rows-acts">
    <Button small kind="primary" label={t("acceptName", { name })} onClick={onAccept}>
      {t("accept")}
    </Button>
    <Button small label={t("refuseName", { name })} onClick={onRefuse}>
      {t("refuse")}
    </Button>
  </span>
)

const refused = (name: string): Promise<boolean> =>
  confirm({ title: t("refuseAsk", { name }), text: t("refuseText"), action: t("refuse"), danger: true })

const refuseVideo = async ({ id, video }: Offer): Promise<boolean> =>
  (await refused(video?.name ?? "")) &&
  (await act(call("POST /api/v1/videos/ownership/:id/refuse", { params: { id } }), t("refused")))

const refuseChannel = async ({ id, videoChannel }: Offer): Promise<boolean> =>
  (await refused(videoChannel?.displayName ?? "")) &&
  (await act(call("POST /api/v1/video-channels/ownership/:id/refuse", { params: { id } }), t("refused")))

const acceptChannel = async ({ id, videoChannel }: Offer): Promise<boolean> => {
  const name = videoChannel?.displayName ?? ""
  const yes = await confirm({
    title: t("acceptAsk", { name }),
    text: t("acceptChannelText"),
    action: t("accept")
  })
  const accepted = call("POST /api/v1/video-channels/ownership/:id/accept", { params: { id } })
  return yes && (await act(accepted, t("channelAccepted", { name })))
}

const answerInvitation = async ({ channel, id }: Invitation, accepts: boolean): Promise<boolean> => {
  const params = { channelHandle: channel.name, collaboratorId: id }
  const path = "/api/v1/video-channels/:channelHandle/collaborators/:collaboratorId"
  return accepts
    ? await act(call(`POST ${path}/accept`, { params }), t("joined", { name: channel.displayName }))
    : await act(call(`POST ${path}/reject`, { params }), t("declined"))
}

/** What others want to give to the user, and channels they are asked to work on. */
export const Page = () => {
  const videos = useLoad("offered videos", offeredVideos)
  const channels = useLoad("offered channels", offeredChannels)
  const asked = useLoad("invitations", invitations)
  const [taking, setTaking] = useState<Offer>()
  const run = async (doing: Promise<boolean>, again: () => Promise<void>): Promise<void> => {
    // What the user owns and works on has changed with it.
    if (await doing) await Promise.all([again(), loadMe()])
  }
  return (
    <>
      <header class="page-head">
        <div>
          <h1>{t("title")}</h1>
          <p>{t("pageLead")}</p>
        </div>
      </header>
      <div class="stack">
        <Section
          title={t("invitations")}
          lead={t("invitationsLead")}
          empty={t("noInvitations")}
          list={asked}
          row={(it) => (
            <>
              <Avatar name={it.channel.displayName} pictures={it.channel.avatars} size={36} />
              <div class="rows-words">
                <a href={`/c/${it.channel.name}`}>{it.channel.displayName}</a>
                <span>{t("channelOf", { name: it.channelOwner.displayName })}</span>
              </div>
              <Answers
                name={it.channel.displayName}
                onAccept={() => void run(answerInvitation(it, true), asked.again)}
                onRefuse={() => void run(answerInvitation(it, false), asked.again)}
              />
            </>
          )}
        />
        <Section
          title={t("videos")}
          lead={t("videosLead")}
          empty={t("noVideos")}
          list={videos}
          row={(it) => (
            <>
              <Icon name="film" />
              <div class="rows-words">
                <a href={`/w/${it.video?.shortUUID ?? ""}`}>{it.video?.name}</a>
                <span>{t("offeredBy", { name: it.initiatorAccount.displayName, day: day(it.createdAt) })}</span>
              </div>
              <Answers
                name={it.video?.name ?? ""}
                onAccept={() => setTaking(it)}
                onRefuse={() => void run(refuseVideo(it), videos.again)}
              />
            </>
          )}
        />
        <Section
          title={t("channels")}
          lead={t("channelsLead")}
          empty={t("noChannels")}
          list={channels}
          row={(it) => (
            <>
              <Icon name="channel" />
              <div class="rows-words">
                <a href={`/c/${it.videoChannel?.name ?? ""}`}>{it.videoChannel?.displayName}</a>
                <span>{t("offeredBy", { name: it.initiatorAccount.displayName, day: day(it.createdAt) })}</span>
              </div>
              <Answers
                name={it.videoChannel?.displayName ?? ""}
                onAccept={() => void run(acceptChannel(it), channels.again)}
                onRefuse={() => void run(refuseChannel(it), channels.again)}
              />
            </>
          )}
        />
      </div>
      {taking !== undefined && (
        <AcceptVideo
          offer={taking}
          onClose={() => setTaking(undefined)}
          onDone={() => {
            setTaking(undefined)
            void videos.again()
          }}
        />
      )}
    </>
  )
}
