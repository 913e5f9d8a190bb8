import { type Html, html, urlAttribute } from "../platform/html/Html.ts"
import { layout, type Surroundings } from "./Layout.ts"
import { noIndex, pageMetadata } from "./Metadata.ts"
import type { PageInstance } from "./PageInstance.ts"
import { richText } from "./Text.ts"

/** A heading and a line: for pages that do not exist or do not work at the moment. */
export const messagePage = (surroundings: Surroundings, title: string, text: string): Html =>
  layout(surroundings, {
    title,
    entry: "site",
    head: noIndex,
    body: html`<div class="empty">
      <h1>${title}</h1>
      <p>${text}</p>
      <a class="button" href="/">See the latest videos</a>
    </div>`
  })

/** What the service worker shows when a page cannot be loaded for want of a connection. */
export const offlinePage = (surroundings: Surroundings): Html =>
  layout(surroundings, {
    title: "No connection",
    entry: "site",
    head: noIndex,
    body: html`<div class="empty" data-offline>
      <h1>There is no connection</h1>
      <p>This page cannot be loaded at the moment. It comes by itself as soon as there is a connection again.</p>
      <a class="button" href="">Try again</a>
    </div>`
  })

const section = (title: string, text: string, language: string): Html | false =>
  text.trim() !== "" &&
  html`<h2>${title}</h2>
    <div class="rich" lang="${language}">${richText(text, -1)}</div>`

const elsewhere = (links: PageInstance["Service"]["about"]["links"]): Html | false =>
  links.length > 0 &&
  html`<h2>Elsewhere</h2>
    <ul>
      ${links.map(([name, address]) => html`<li><a${urlAttribute("href", address)} rel="me noopener">${name}</a></li>`)}
    </ul>`

/** The about page. */
export const aboutPage = (surroundings: Surroundings): Html => {
  const { instance } = surroundings
  const { country, language, links, support } = instance.about
  return layout(surroundings, {
    title: "About",
    entry: "site",
    here: "/about",
    head: pageMetadata({
      type: "website",
      image: instance.logos.opengraph?.address,
      title: `About ${instance.name}`,
      description: instance.shortDescription,
      url: `${instance.origin}/about`
    }),
    body: html`<div class="plain">
      <h1>About ${instance.name}</h1>
      <p>${instance.shortDescription}</p>
      ${section("Description", instance.description, language)}${section("Terms", instance.terms, language)}
      ${section("Support this instance", support, language)}${elsewhere(links)}
      ${country !== "" && html`<p>The law of ${country} holds for this instance.</p>`}
      ${
        instance.hasContactForm &&
        html`<h2>Contact</h2>
          <p><a href="/about/contact">Write to the administrator</a></p>`
      }
      <h2>Software</h2>
      <p>
        Kinora ${instance.version}, a federated video host and free software under the AGPL.
        <a href="/docs">Its API</a> is open to every client.
      </p>
    </div>`
  })
}

/** Shows how an embed looks on another site. `address` is one of our own embed URLs, if given. */
export const testEmbedPage = (
  surroundings: Surroundings,
  what: "video" | "playlist",
  address: string | undefined
): Html =>
  layout(surroundings, {
    title: "Embed test",
    entry: "site",
    head: noIndex,
    body: html`<div class="plain">
      <h1>Embed test</h1>
      ${
        address === undefined
          ? html`<p>There is no public ${what} to show yet.</p>`
          : html`<p>The newest public ${what} as other sites show it.</p>
              <iframe
                title="Embedded ${what}"
                width="560"
                height="315"
                src="${address}"
                allow="autoplay; picture-in-picture"
                allowfullscreen
              ></iframe>`
      }
    </div>`
  })
