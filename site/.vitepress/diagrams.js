import { readFileSync } from 'node:fs'
import { Window } from 'happy-dom'

/** Throws if a page has a diagram that Mermaid cannot read: a reader would see an error in its place. */
export async function checkDiagrams(files) {
  const window = new Window()
  Object.assign(globalThis, { window, document: window.document, Element: window.Element })
  const { default: mermaid } = await import('mermaid') // its sanitizer needs a document when it is loaded
  for (const file of files) {
    for (const [, diagram] of readFileSync(file, 'utf8').matchAll(/^```mermaid\n([^]*?)^```$/gm)) {
      await mermaid.parse(diagram).catch((error) => {
        throw new Error(`${file}: ${error.message}`)
      })
    }
  }
  await window.happyDOM.close()
}
