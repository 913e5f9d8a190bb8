import { text } from "../../i18n/Text.ts"
import { mayUse } from "../../session/Me.ts"
import { Attention } from "./Attention.tsx"
import { FirstSteps } from "./FirstSteps.tsx"
import { Figures } from "./Figures.tsx"
import { Nodes } from "./Nodes.tsx"
import { Tasks } from "./Tasks.tsx"

const t = text("overview")

const Parts = () => (
  <div class="overview">
    <section aria-labelledby="attention">
      <h2 id="attention">{t("attention")}</h2>
      <Attention />
    </section>
    <section aria-labelledby="figures">
      <h2 id="figures">{t("figures")}</h2>
      <Figures />
    </section>
    {mayUse("MANAGE_DEBUG") && <Nodes />}
    {mayUse("MANAGE_DEBUG") && (
      <section aria-labelledby="tasks">
        <h2 id="tasks">{t("tasks")}</h2>
        <Tasks />
      </section>
    )}
  </div>
)

/** What needs attention, and how the instance is. */
export const Page = () => (
  <>
    <header class="page-head">
      <div>
        <h1>{t("title")}</h1>
        <p>{t("lead")}</p>
      </div>
    </header>
    {mayUse("MANAGE_CONFIGURATION") ? (
      <FirstSteps>
        <Parts />
      </FirstSteps>
    ) : (
      <Parts />
    )}
  </>
)
