import { nextTick, onMounted, watch } from 'vue'
import { useRoute } from 'vitepress'
import DefaultTheme from 'vitepress/theme'
import './diagrams.css'

async function draw() {
  await nextTick()
  if (document.querySelector('.mermaid:not([data-processed])')) {
    const { default: mermaid } = await import('mermaid')
    mermaid.initialize({ theme: document.documentElement.classList.contains('dark') ? 'dark' : 'default' })
    await mermaid.run()
  }
}

export default {
  extends: DefaultTheme,
  setup() {
    onMounted(draw)
    const route = useRoute()
    watch(() => route.path, draw)
  },
}
