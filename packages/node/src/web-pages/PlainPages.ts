import { type Html, html, urlAttribute } from "../platform/html/Html.ts"
import { layout, type Surroundings } from "./Layout.ts"
import { noIndex, pageMetadata } from "./Metadata.ts"
import type { PageInstance } from "./PageInstance.ts"
import type { Say } from "./language/PageLanguage.ts"
import { richText, withMarkup } from "./Text.ts"

/** A heading and a line: for pages that do not exist or do not work at the moment. */
export const messagePage = (surroundings: Surroundings, title: string, text: string): Html =>
  layout(surroundings, {
    title,
    entry: "site",
    head: noIndex,
    body: html`<div class="empty">
      <h1>${title}</h1>
      <p>${text}</p>
      <a class="button" href="/">${surroundings.language.text("common")("seeLatest")}</a>
    </div>`
  })

/** What the service worker shows when a page cannot be loaded for want of a connection. */
export const offlinePage = (surroundings: Surroundings): Html => {
  const t = surroundings.language.text("common")
  return layout(surroundings, {
    title: t("noConnection"),
    entry: "site",
    head: noIndex,
    body: html`<div class="empty" data-offline>
      <h1>${t("noConnectionHeading")}</h1>
      <p>${t("noConnectionText")}</p>
      <a class="button" href="">${t("tryAgain")}</a>
    </div>`
  })
}

const section = (title: string, text: string, language: string): Html | false =>
  text.trim() !== "" &&
  html`<h2>${title}</h2>
    <div class="rich" lang="${language}">${richText(text, -1)}</div>`

const elsewhere = (t: Say<"instance">, links: PageInstance["Service"]["about"]["links"]): Html | false =>
  links.length > 0 &&
  html`<h2>${t("elsewhere")}</h2>
    <ul>
      ${links.map(([name, address]) => html`<li><a${urlAttribute("href", address)} rel="me noopener">${name === "Website" ? t("website") : name}</a></li>`)}
    </ul>`

/** The about page. */
export const aboutPage = (surroundings: Surroundings): Html => {
  const { instance } = surroundings
  const t = surroundings.language.text("instance")
  const common = surroundings.language.text("common")
  const about = common("aboutName", { name: instance.name })
  const { country, language, links, support } = instance.about
  return layout(surroundings, {
    title: common("about"),
    entry: "site",
    here: "/about",
    head: pageMetadata({
      type: "website",
      image: instance.logos.opengraph?.address,
      title: about,
      description: instance.shortDescription,
      url: `${instance.origin}/about`
    }),
    body: html`<div class="plain">
      <h1>${about}</h1>
      <p>${instance.shortDescription}</p>
      ${section(t("description"), instance.description, language)}${section(t("terms"), instance.terms, language)}
      ${section(t("supportInstance"), support, language)}${elsewhere(t, links)}
      ${country !== "" && html`<p>${t("law", { country })}</p>`}
      ${
        instance.hasContactForm &&
        html`<h2>${t("contact")}</h2>
          <p><a href="/about/contact">${t("writeToAdmin")}</a></p>`
      }
      <h2>${t("software")}</h2>
      <p>
        ${t("softwareText", { program: "Kinora", version: instance.version })}
        ${withMarkup((api) => t("apiText", { api }), html`<a href="/docs" hreflang="en">${t("itsApi")}</a>`)}
      </p>
    </div>`
  })
}

/** Shows how an embed looks on another site. `address` is one of our own embed URLs, if given. */
export const testEmbedPage = (
  surroundings: Surroundings,
  what: "video" | "playlist",
  address: string | undefined
): Html => {
  const t = surroundings.language.text("instance")
  return layout(surroundings, {
    title: t("embedTest"),
    entry: "site",
    head: noIndex,
    body: html`<div class="plain">
      <h1>${t("embedTest")}</h1>
      ${
        address === undefined
          ? html`<p>${t("embedTestNone", { what })}</p>`
          : html`<p>${t("embedTestText", { what })}</p>
              <iframe
                title="${t("embedTestFrame", { what })}"
                width="560"
                height="315"
                src="${address}"
                allow="autoplay; picture-in-picture"
                allowfullscreen
              ></iframe>`
      }
    </div>`
  })
}
