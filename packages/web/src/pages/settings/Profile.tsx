import { constraints } from "@kinora/domain/enums/Constraints"
import { useState } from "preact/hooks"
import type { Answer } from "../../api/Answer.ts"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { bytes } from "../../i18n/Units.ts"
import { useDraft } from "../../navigation/Draft.ts"
import { loadMe, type Me } from "../../session/Me.ts"
import { Avatar } from "../../ui/Avatar.tsx"
import { Button, ButtonLink } from "../../ui/Button.tsx"
import { TextArea, TextField } from "../../ui/Field.tsx"
import { FileButton } from "../../ui/FileButton.tsx"
import { report } from "../../ui/Outcome.ts"
import { toast } from "../../ui/Toasts.tsx"
import { change } from "./Change.ts"

const t = text("settings")

const { extensions, maxBytes } = constraints.actorImage

const Picture = ({ user }: { readonly user: Me }) => {
  const [busy, setBusy] = useState(false)
  const run = async (act: () => Promise<Answer>, said: string): Promise<void> => {
    setBusy(true)
    if (report(await act(), said)) await loadMe()
    setBusy(false)
  }
  const send = (file: File): void => {
    if (file.size > maxBytes) return toast(t("pictureLarge", { size: bytes(maxBytes) }), "failed")
    const body = new FormData()
    body.set("avatarfile", file)
    void run(() => call("POST /api/v1/users/me/avatar/pick", { body }), t("avatarSaved"))
  }
  return (
    <section class="card stack" aria-labelledby="avatar">
      <h2 id="avatar">{t("avatar")}</h2>
      <Avatar name={user.account.displayName} pictures={user.account.avatars} size={96} />
      <div class="acts">
        <FileButton accept={extensions.join()} busy={busy} onFile={send}>
          {t("chooseAvatar")}
        </FileButton>
        {user.account.avatars.length > 0 && (
          <Button
            icon="trash"
            busy={busy}
            onClick={() => void run(() => call("DELETE /api/v1/users/me/avatar"), t("avatarRemoved"))}
          >
            {t("removeAvatar")}
          </Button>
        )}
      </div>
    </section>
  )
}

/** What others see of the user. */
export const Profile = ({ user }: { readonly user: Me }) => {
  const draft = useDraft("profile", {
    displayName: user.account.displayName,
    description: user.account.description ?? ""
  })
  const [busy, setBusy] = useState(false)
  const { description, displayName } = draft.value
  const save = async (): Promise<void> => {
    setBusy(true)
    const about = description.trim() === "" ? null : description.trim()
    if (await change({ displayName: displayName.trim(), description: about }, t("saved"))) {
      draft.clear()
      draft.set({ displayName, description })
    }
    setBusy(false)
  }
  return (
    <div class="stack">
      <Picture user={user} />
      <form
        class="card stack"
        aria-labelledby="who"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!busy) void save()
        }}
      >
        <h2 id="who">{t("who")}</h2>
        <TextField
          label={t("displayName")}
          value={displayName}
          onValue={(value) => draft.set({ displayName: value })}
          maxLength={constraints.user.displayName.max}
          required
        />
        <TextArea
          label={t("description")}
          value={description}
          onValue={(value) => draft.set({ description: value })}
          maxLength={constraints.user.description.max}
          optional
        />
        <div>
          <Button type="submit" kind="primary" busy={busy}>
            {t("save")}
          </Button>
        </div>
      </form>
      <section class="card stack" aria-labelledby="exports">
        <h2 id="exports">{t("exports")}</h2>
        <p class="lead">{t("exportsText")}</p>
        <div>
          <ButtonLink href="/my-account">{t("exportsLink")}</ButtonLink>
        </div>
      </section>
    </div>
  )
}
