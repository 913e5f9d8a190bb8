import { nsfwPolicies } from "@kinora/domain/enums/NsfwFlag"
import { languages } from "@kinora/domain/i18n/Languages"
import { currentLanguage, text, useLanguage } from "../../i18n/Text.ts"
import type { Me } from "../../session/Me.ts"
import { SelectField, Switch } from "../../ui/Choices.tsx"
import { change } from "./Change.ts"

const t = text("settings")

/** The old policy is offered to who has it alone. */
const policiesFor = (user: Me) => nsfwPolicies.filter((it) => it !== "blur" || user.nsfwPolicy === it)

/** How the pages and the player behave. Each change is saved at once. */
export const Preferences = ({ user }: { readonly user: Me }) => {
  const save = (changes: Parameters<typeof change>[0]): void => void change(changes, t("saved"))
  const speak = async (language: string): Promise<void> => {
    await useLanguage(language)
    await change({ language }, t("saved"))
  }
  return (
    <section class="card stack" aria-labelledby="watching">
      <h2 id="watching">{t("watching")}</h2>
      <div class="two">
        <SelectField
          label={t("sensitive")}
          value={user.nsfwPolicy}
          options={policiesFor(user).map((policy) => ({ value: policy, label: t("sensitiveName", { policy }) }))}
          onValue={(value) => {
            const nsfwPolicy = nsfwPolicies.find((it) => it === value)
            if (nsfwPolicy !== undefined) save({ nsfwPolicy })
          }}
        />
        <SelectField
          label={t("language")}
          value={currentLanguage()}
          options={languages.map(([value, label]) => ({ value, label }))}
          onValue={(language) => void speak(language)}
        />
      </div>
      <Switch
        label={t("autoPlay")}
        checked={user.autoPlayVideo}
        onChecked={(autoPlayVideo) => save({ autoPlayVideo })}
      />
      <Switch
        label={t("autoNext")}
        checked={user.autoPlayNextVideo}
        onChecked={(autoPlayNextVideo) => save({ autoPlayNextVideo })}
      />
      <Switch
        label={t("autoNextPlaylist")}
        checked={user.autoPlayNextVideoPlaylist}
        onChecked={(autoPlayNextVideoPlaylist) => save({ autoPlayNextVideoPlaylist })}
      />
      <Switch
        label={t("p2p")}
        help={t("p2pHelp")}
        checked={user.p2pEnabled}
        onChecked={(p2pEnabled) => save({ p2pEnabled })}
      />
      <Switch
        label={t("history")}
        checked={user.videosHistoryEnabled}
        onChecked={(videosHistoryEnabled) => save({ videosHistoryEnabled })}
      />
    </section>
  )
}
