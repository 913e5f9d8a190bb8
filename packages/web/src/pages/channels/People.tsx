import { CollaboratorState } from "@kinora/domain/enums/CollaboratorState"
import { useState } from "preact/hooks"
import { call } from "../../api/Call.ts"
import type { Output } from "../../api/Endpoints.ts"
import { text } from "../../i18n/Text.ts"
import { useLoad } from "../../navigation/Load.ts"
import { loadMe, me } from "../../session/Me.ts"
import { Avatar } from "../../ui/Avatar.tsx"
import { Button } from "../../ui/Button.tsx"
import { confirm } from "../../ui/Confirm.tsx"
import { TextField } from "../../ui/Field.tsx"
import { report } from "../../ui/Outcome.ts"
import { Badge, LoadFailure, Skeleton } from "../../ui/States.tsx"
import { failureWords } from "../../ui/Words.ts"
import type { Channel } from "./About.tsx"

const t = text("channels")

type Person = Output<"GET /api/v1/video-channels/:channelHandle/collaborators">["data"][number]

/** What the invited person answers. */
const Invitation = ({
  channel,
  onDone,
  person
}: {
  readonly channel: Channel
  readonly person: Person
  readonly onDone: () => Promise<void>
}) => {
  const params = { channelHandle: channel.name, collaboratorId: person.id }
  const answer = async (accepts: boolean): Promise<void> => {
    const answered = accepts
      ? await call("POST /api/v1/video-channels/:channelHandle/collaborators/:collaboratorId/accept", { params })
      : await call("POST /api/v1/video-channels/:channelHandle/collaborators/:collaboratorId/reject", { params })
    if (report(answered, t(accepts ? "accepted" : "declinedDone"))) await Promise.all([loadMe(), onDone()])
  }
  return (
    <div class="notice">
      <p>{t("acceptText")}</p>
      <Button kind="primary" onClick={() => void answer(true)}>
        {t("accept")}
      </Button>
      <Button onClick={() => void answer(false)}>{t("decline")}</Button>
    </div>
  )
}

/** Who works on a channel: invited and removed by its owner. */
export const People = ({ channel, isOwner }: { readonly channel: Channel; readonly isOwner: boolean }) => {
  const channelHandle = channel.name
  const path = "/api/v1/video-channels/:channelHandle/collaborators"
  const list = useLoad(`people ${channelHandle}`, (signal) =>
    call(`GET ${path}`, { params: { channelHandle }, signal })
  )
  const [name, setName] = useState("")
  const [busy, setBusy] = useState(false)
  const invite = async (): Promise<void> => {
    if (name.trim() === "") return
    setBusy(true)
    const answer = await call(`POST ${path}/invite`, {
      params: { channelHandle },
      body: { accountHandle: name.trim() }
    })
    if (report(answer, t("invited", { name: name.trim() }))) {
      setName("")
      await list.again()
    }
    setBusy(false)
  }
  const remove = async (person: Person): Promise<void> => {
    const { displayName } = person.account
    const yes = await confirm({
      title: t("removePersonAsk", { name: displayName }),
      text: t("removePersonText", { name: displayName }),
      action: t("remove"),
      danger: true
    })
    if (!yes) return
    const params = { channelHandle, collaboratorId: person.id }
    const answer = await call(`DELETE ${path}/:collaboratorId`, { params })
    if (report(answer, t("personRemoved", { name: displayName }))) await list.again()
  }
  const people = list.data?.data ?? []
  const asked = people.find((it) => it.account.id === me.value?.account.id && it.state.id === CollaboratorState.pending)
  return (
    <div class="card stack">
      <p class="lead">{t("peopleText")}</p>
      {asked !== undefined && <Invitation channel={channel} person={asked} onDone={list.again} />}
      {list.failure !== undefined && (
        <LoadFailure reason={failureWords(list.failure)} onRetry={() => void list.again()} />
      )}
      {list.data === undefined && list.failure === undefined && <Skeleton rows={2} />}
      {isOwner && list.data !== undefined && people.length === 0 && <p>{t("nobody")}</p>}
      {people.length > 0 && (
        <ul class="rows" aria-label={t("peopleList")}>
          {people.map((it) => (
            <li key={it.id}>
              <Avatar name={it.account.displayName} pictures={it.account.avatars} size={36} />
              <div class="rows-words">
                <strong>{it.account.displayName}</strong>
                <span>{it.account.name}</span>
              </div>
              {it.state.id === CollaboratorState.pending && <Badge kind="warn">{t("waiting")}</Badge>}
              {it.state.id === CollaboratorState.rejected && <Badge>{t("declined")}</Badge>}
              {isOwner && (
                <span class="rows-acts">
                  <Button
                    kind="quiet"
                    icon="trash"
                    label={t("removePerson", { name: it.account.displayName })}
                    onClick={() => void remove(it)}
                  />
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {isOwner && (
        <form
          class="beside"
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            if (!busy) void invite()
          }}
        >
          <TextField label={t("inviteLabel")} help={t("inviteHelp")} value={name} onValue={setName} />
          <Button type="submit" busy={busy}>
            {t("invite")}
          </Button>
        </form>
      )}
    </div>
  )
}
