import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkDiagrams } from './diagrams.js'

const site = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const root = resolve(site, '..')
// where the sources are: links to what is no page lead there
const repository = process.env.REPOSITORY_URL ?? 'https://repository.invalid/poolkeeper'

/** The sidebar is the index of docs/README.md: each bold line a group, each link at the start of an item a page. */
function sidebar() {
  const groups = []
  for (const line of readFileSync(join(root, 'docs/README.md'), 'utf8').split('\n')) {
    const group = line.match(/^\*\*(.+?)\*\*/)
    if (group) {
      groups.push({ text: group[1], items: [] })
    }
    const page = line.match(/^- \[(.+?)]\((.+?\.md)(#.*)?\)/)
    if (page) {
      groups.at(-1).items.push({ text: page[1].replaceAll('`', ''), link: '/' + join('docs', page[2] + (page[3] ?? '')) })
    }
  }
  return groups
}

/** The anchors of GitHub, where the same pages are read. */
function anchor(heading) {
  return heading.trim().toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-')
}

/**
 * Links to folders and sources lead to the repository; only links to pages stay on the site. A README is its folder's
 * index there; VitePress renames the page and not the links to it.
 */
function links(md) {
  const opening = md.renderer.rules.link_open ?? ((tokens, i, options, env, self) => self.renderToken(tokens, i, options))
  md.renderer.rules.link_open = (tokens, i, options, env, self) => {
    const href = tokens[i].attrGet('href')
    if (href && !/^[a-z]+:|^#|^\//.test(href)) {
      const target = resolve(dirname(join(root, env.relativePath)), decodeURI(href.split('#')[0]))
      if (existsSync(target) && !target.endsWith('.md')) {
        const kind = statSync(target).isDirectory() ? 'tree' : 'blob'
        tokens[i].attrSet('href', `${repository}/${kind}/main/${relative(root, target)}`)
      }
    }
    return opening(tokens, i, options, env, self).replace(/(href="(?!https?:)[^"]*\/|href=")README\.html/, '$1index.html')
  }
}

function mermaid(md) {
  const fence = md.renderer.rules.fence
  md.renderer.rules.fence = (tokens, i, ...rest) =>
    tokens[i].info.trim() === 'mermaid'
      ? `<pre class="mermaid" v-pre>${md.utils.escapeHtml(tokens[i].content)}</pre>`
      : fence(tokens, i, ...rest)
}

export default {
  title: 'Poolkeeper',
  description: 'Keeps Azure Load Balancer backend pools in step with the pods behind local Kubernetes Services',
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  srcDir: '..',
  srcExclude: ['**/target/**', '**/src/**', '**/node_modules/**', '.github/**', 'site/**'],
  outDir: '../target/site',
  cacheDir: '../target/site-cache',
  rewrites: { 'README.md': 'index.md', ':folder(.*)/README.md': ':folder/index.md' },
  // the pages are outside of this folder, and what they import is in it
  vite: { resolve: { alias: [{ find: /^vue(\/.*)?$/, replacement: join(site, 'node_modules/vue$1') }] } },
  markdown: {
    anchor: { slugify: anchor },
    config(md) {
      md.use(links)
      md.use(mermaid)
    },
  },
  buildEnd: ({ pages }) => checkDiagrams(pages.map((page) => join(root, page))),
  themeConfig: {
    nav: [{ text: 'Documentation', link: '/docs/' }, { text: 'Changes', link: '/CHANGELOG.md' }],
    sidebar: sidebar(),
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        miniSearch: {
          // pages to read before pages to look up
          searchOptions: { boostDocument: (id) => (/\/(behaviour|troubles|configuration|reference|decisions)\b/.test(id) ? 0.3 : 1) },
        },
      },
    },
  },
}
