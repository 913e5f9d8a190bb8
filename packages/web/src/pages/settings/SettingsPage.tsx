import { text } from "../../i18n/Text.ts"
import { place, setQuery } from "../../navigation/Location.ts"
import { me } from "../../session/Me.ts"
import { Skeleton } from "../../ui/States.tsx"
import { Tabs } from "../../ui/Tabs.tsx"
import { Email, Password } from "./Credentials.tsx"
import { Data } from "./Data.tsx"
import { End } from "./End.tsx"
import { Notifications } from "./Notifications.tsx"
import { Preferences } from "./Preferences.tsx"
import { Profile } from "./Profile.tsx"
import { RecoveryCodes } from "./RecoveryCodes.tsx"
import { SecondFactor } from "./SecondFactor.tsx"
import { Sessions } from "./Sessions.tsx"

const t = text("settings")

const parts = ["profile", "preferences", "notifications", "security", "data", "end"] as const

/** The user's own account. The part is in the address. */
export const Page = () => {
  const user = me.value
  const part = parts.find((it) => it === place.value.query.get("part")) ?? "profile"
  return (
    <>
      <header class="page-head">
        <h1>{t("title")}</h1>
      </header>
      {user === undefined ? (
        <Skeleton rows={6} />
      ) : (
        <Tabs
          label={t("parts")}
          tabs={parts.map((key) => ({ key, label: t(key) }))}
          selected={part}
          onSelect={(key) => setQuery({ part: key === "profile" ? undefined : key })}
        >
          {part === "profile" && <Profile user={user} />}
          {part === "preferences" && <Preferences user={user} />}
          {part === "notifications" && <Notifications user={user} />}
          {part === "security" && (
            <div class="stack">
              <Email user={user} />
              <Password user={user} />
              <SecondFactor user={user} />
              {user.twoFactorEnabled && <RecoveryCodes />}
              <Sessions user={user} />
            </div>
          )}
          {part === "data" && <Data user={user} />}
          {part === "end" && <End user={user} />}
        </Tabs>
      )}
    </>
  )
}
