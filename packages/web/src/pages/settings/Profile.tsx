import { constraints } from "@kinora/domain/enums/Constraints"
import { useState } from "preact/hooks"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { useDraft } from "../../navigation/Draft.ts"
import { loadMe, type Me } from "../../session/Me.ts"
import { Avatar } from "../../ui/Avatar.tsx"
import { Button, ButtonLink } from "../../ui/Button.tsx"
import { TextArea, TextField } from "../../ui/Field.tsx"
import { formWith, PictureField } from "../../ui/PictureField.tsx"
import { change } from "./Change.ts"

const t = text("settings")

const Picture = ({ user }: { readonly user: Me }) => (
  <PictureField
    title={t("avatar")}
    choose={t("chooseAvatar")}
    remove={t("removeAvatar")}
    limits={constraints.actorImage}
    onSaved={loadMe}
    send={(file) => call("POST /api/v1/users/me/avatar/pick", { body: formWith("avatarfile", file) })}
    onRemove={user.account.avatars.length > 0 ? () => call("DELETE /api/v1/users/me/avatar") : undefined}
  >
    <Avatar name={user.account.displayName} pictures={user.account.avatars} size={96} />
  </PictureField>
)

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
          <ButtonLink href="/my/settings?part=data">{t("exportsLink")}</ButtonLink>
        </div>
      </section>
    </div>
  )
}
