// Refreshes the page every five seconds; without it, users can reload.
(() => {
  const stale = document.getElementById('stale');
  const isRead = part => part.contains(document.activeElement) || part.querySelector('details details[open], td details[open]');
  const update = async () => {
    if (document.hidden) return;
    try {
      const answer = await fetch(location.href, { headers: { Accept: 'text/html' } });
      if (!answer.ok) throw new Error('HTTP ' + answer.status);
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      document.title = page.title;
      for (const part of document.querySelectorAll('[data-live]')) {
        const fresh = page.getElementById(part.id);
        if (fresh && !isRead(part)) part.replaceChildren(...fresh.childNodes);
      }
      stale.textContent = '';
    } catch (e) {
      stale.textContent = 'The daemon does not answer (' + e.message + '): showing its last status.';
    }
  };
  setInterval(update, 5000);
})();
