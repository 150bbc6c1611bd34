// Enhances the page: filters, sorting, keys, large pictures with a pixel inspector. Without it everything can still be read.
'use strict';
(() => {
  const one = (query, from = document) => from.querySelector(query);
  const all = (query, from = document) => [...from.querySelectorAll(query)];
  const CLASSES = ['nothing', 'same', 'bits', 'step', 'seen', 'plain', 'none'];
  const rank = (element) => Math.max(-1, ...CLASSES.map((name, n) => (element && element.classList.contains(name) ? n : -1)));
  const asked = new URLSearchParams(location.search);

  // The address says what is asked for and what is open.
  const open = {};
  const remember = () => {
    const state = new URLSearchParams();
    for (const name of ['search', 'isa', 'model', 'class', 'sort']) if (form && form[name].value) state.set(name, form[name].value);
    for (const [name, value] of Object.entries(open)) state.set(name, value);
    const query = state.toString().replaceAll('%2C', ',');
    try { history.replaceState(null, '', location.pathname + (query && '?' + query) + location.hash); } catch { /* Some viewers forbid it. */ }
  };

  // The answer, for the programs and the model that are shown.
  const answer = one('#answer');
  const written = answer.textContent;
  const worst = one('#worst');
  const first = worst ? all('li', worst) : [];
  const headline = (seen, shown, model) => {
    const judged = titles.flatMap((t) => t.dataset.models?.split(' ') ?? []);
    const under = model || (judged.length === 1 ? judged[0] : `${seen ? 'at least one' : 'any'} of ${judged.length} models`);
    return `${seen || 'None'} of ${shown} ${shown === 1 ? 'program' : 'programs'} ${seen > 1 ? 'look' : 'looks'} different from ` +
      `${answer.dataset.yardstick} under ${under}.`;
  };
  // A result among the most visible ones, made from its card.
  const entry = (card, model) => {
    const item = first[0].cloneNode(true);
    const of = card.closest('.program');
    const effect = one('h2', of.parentElement).firstChild.textContent.trim();
    const name = model || one('b', card).textContent;
    item.dataset.models = card.dataset.models;
    item.style.setProperty('--below', `url(${of.dataset.picture})`);
    const links = all('.pair a', card).map((link) => link.cloneNode(true));
    const base = document.createElement('a');
    base.href = of.dataset.picture;
    base.append(Object.assign(new Image(), { src: of.dataset.picture, alt: of.dataset.against }), of.dataset.against);
    for (const link of links) if (!link.classList.contains('map')) link.lastChild.textContent = name;
    for (const link of [base, ...links]) link.dataset.large = card.id;
    one('.pair', item).replaceChildren(base, ...links);
    const title = one('figcaption a', item);
    title.href = '#' + card.id;
    title.textContent = effect;
    const tag = one('.tag', item);
    tag.className = one('.tag', card).className;
    tag.textContent = one('.tag', card).textContent;
    const [harm, place] = all('figcaption > span:not(.tag)', item);
    harm.textContent = `${name}: ${one('em', card).textContent}`;
    place.textContent = of.dataset.name + (card.dataset.culprit ? '; ' + card.dataset.culprit : '');
    return item;
  };
  const tell = (model, filtered) => {
    const rows = all('#table tr[data-name]').filter((row) => !row.classList.contains('out'));
    const found = rows.map((row) => (row.dataset.class === 'refused' ? 'unsupported' : model ? CLASSES[rank(cell(row, model))] : row.dataset.class));
    for (const item of all('#counts [data-class]')) {
      const number = found.filter((name) => name === item.dataset.class).length;
      item.hidden = !number;
      one('b', item).textContent = number;
    }
    const seen = found.filter((name) => CLASSES.indexOf(name) >= CLASSES.indexOf('seen')).length;
    answer.textContent = filtered ? headline(seen, rows.length, model) : written;
    if (!worst) return;
    let items = first;
    if (filtered) {
      const cards = all('.cards figure[data-rank]').filter((card) => {
        const of = card.closest('.program');
        return !of.hidden && Math.floor(card.dataset.rank / 2 ** 32) >= CLASSES.indexOf('step') && (!model || card.dataset.models.split(' ').includes(model));
      });
      const effects = new Set();
      items = cards.sort((a, b) => b.dataset.rank - a.dataset.rank).filter((card) => {
        const effect = card.closest('.effect-block');
        return !effects.has(effect) && effects.add(effect);
      }).slice(0, 10).map((card) => entry(card, model));
    }
    one('ol', worst).replaceChildren(...items);
    worst.hidden = !items.length;
    const number = items.length === 1 ? 'The most visible difference' : `The ${items.length} most visible differences, one per effect`;
    one('h2', worst).textContent = number;
    const most = one('#most');
    most.hidden = !items.length;
    if (items.length) {
      const [title, [harm, place]] = [one('figcaption a', items[0]), all('figcaption > span:not(.tag)', items[0])];
      const [models, ...what] = harm.textContent.split(': ');
      const culprit = place.textContent.split('; ').slice(1).join('; ');
      most.replaceChildren('Most visible: ', title.cloneNode(true), ` under ${models}: ${what.join(': ')}${culprit && '; ' + culprit}.`);
    }
  };

  // Filters.
  const form = one('#filters');
  const bodies = all('#table tbody');
  const titles = all('#table thead th');
  const cell = (row, model) => (model ? all('td', row)[titles.findIndex((t) => t.dataset.models?.split(' ').includes(model)) - 1] : null);
  const apply = () => {
    const text = form.search.value.trim().toLowerCase();
    const [isa, model, wanted] = [form.isa.value, form.model.value, form.class.value];
    let [shown, total] = [0, 0];
    const fits = (row) => {
      if (text && !(row.dataset.name + ' ' + row.parentElement.dataset.title).toLowerCase().includes(text)) return false;
      if (isa && row.dataset.isa !== isa) return false;
      if (!wanted) return true;
      if (wanted === 'refused') return row.dataset.class === 'refused';
      const found = model ? rank(cell(row, model)) : CLASSES.indexOf(row.dataset.class);
      return found >= CLASSES.indexOf(wanted);
    };
    for (const body of bodies) {
      let some = false;
      for (const row of all('tr[data-name]', body)) {
        const keep = fits(row);
        total += 1;
        shown += keep ? 1 : 0;
        some ||= keep;
        row.classList.toggle('out', !keep);
        row.hidden = !keep || (row.classList.contains('twin') && !body.classList.contains('opened') && !text && !isa);
        document.getElementById(row.dataset.id).hidden = !keep;
      }
      const head = one('tr.effect', body);
      if (head) head.hidden = !some;
      document.getElementById(body.dataset.id).hidden = !some;
    }
    const narrowed = model || titles.some((title) => title.hidden);
    if (narrowed) titles.forEach((title, n) => {
      const out = model && title.dataset.models && !title.dataset.models.split(' ').includes(model);
      all('#table tr').forEach((row) => { const at = row.children[n]; if (at && at.colSpan === 1) at.hidden = !!out; });
    });
    one('#count').textContent = `${shown} of ${total} programs`;
    one('#table').hidden = !shown;
    one('nav a[href="#table"]').hidden = !shown;
    one('nav a[href="#effects"]').hidden = !shown;
    tell(model, text || isa || model || wanted);
    const link = one('nav a[href="#worst"]');
    if (link) link.hidden = worst.hidden;
    remember();
  };
  const order = bodies.map((body, n) => [body, n]);
  const sort = () => {
    const by = form.sort.value;
    const most = (body) => Math.max(...all('tr[data-name]', body).map((row) => rank(cell(row, by))));
    const name = (body) => body.dataset.title.toLowerCase();
    const sorted = [...order].sort(([a, m], [b, n]) =>
      (by === 'name' ? name(a).localeCompare(name(b)) : by ? most(b) - most(a) : 0) || m - n);
    for (const [body] of sorted) {
      one('#table table').append(body);
      one('#effects').append(document.getElementById(body.dataset.id));
    }
  };
  if (form && bodies.length) {
    form.hidden = false;
    for (const name of ['search', 'isa', 'model', 'class', 'sort']) {
      if (asked.has(name)) form[name].value = asked.get(name);
      if (!form[name].value) form[name].value = '';
    }
    // Not every browser sends `input` for lists.
    for (const kind of ['input', 'change']) form.addEventListener(kind, (event) => { if (event.target.name === 'sort') sort(); apply(); });
    form.addEventListener('submit', (event) => event.preventDefault());
    form.addEventListener('reset', () => setTimeout(() => { sort(); apply(); }));
    for (const title of titles.filter((t) => t.dataset.models)) {
      const button = document.createElement('button');
      button.className = 'sort';
      button.title = 'sort by this column';
      button.append(...title.childNodes);
      button.onclick = () => { form.sort.value = title.dataset.models.split(' ')[0]; sort(); apply(); };
      title.append(button);
    }
    for (const body of bodies.filter((b) => one('tr.effect', b))) {
      const button = document.createElement('button');
      const label = () => { button.textContent = body.classList.contains('opened') ? '−' : '+'; };
      button.setAttribute('aria-label', 'show or hide the programs of this effect');
      button.onclick = () => { body.classList.toggle('opened'); label(); apply(); };
      label();
      one('tr.effect th', body).prepend(button);
    }
    // As written, unless the address asks for another order.
    if (form.sort.value) sort();
    apply();
  }

  // Links lead into closed parts.
  const reveal = () => {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    for (let at = target; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
    target.scrollIntoView();
  };
  addEventListener('hashchange', reveal);
  reveal();

  // Keys.
  let current = null;
  const step = (by) => {
    const list = all('.program').filter((p) => !p.hidden && !p.closest('[hidden]'));
    const next = list[Math.min(list.length - 1, Math.max(0, list.indexOf(current) + by))];
    if (!next) return;
    current?.classList.remove('current');
    current = next;
    current.classList.add('current');
    current.open = true;
    current.scrollIntoView({ block: 'start' });
  };
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /INPUT|SELECT|TEXTAREA/.test(event.target.tagName)) return;
    if (viewer.open) {
      if (event.key === 'j') shift(1);
      else if (event.key === 'k') shift(-1);
      else if (event.key === ' ' && event.target.tagName !== 'BUTTON') { swap(); event.preventDefault(); }
      return;
    }
    if (event.key === 'j') step(1);
    else if (event.key === 'k') step(-1);
    else if (event.key === 'o' && current) show(current, 0);
    else if (event.key === '/' && form) { form.search.focus(); event.preventDefault(); }
  });

  // Large pictures.
  const viewer = one('#viewer');
  const [stage, note, inspector, source] = ['#stage', '#note', '#inspector', '#source'].map((query) => one(query));
  const overlay = one('canvas', stage);
  const tools = one('#viewer form');
  const [base, top] = all('img', stage);
  const mark = one('span', stage);
  // The pixel that is shown, whether a click holds it, and the instruction whose pixels are shown.
  let [program, cards, timer, at, held, exchanged] = [null, [], 0, null, false, null];
  // Results of a program that can be looked at beside another.
  const large = (of) => all('.cards figure:not(.flat)', of);
  const models = (card) => one('b', card).textContent;
  const link = (card, query) => one(`.pair ${query}`, card)?.getAttribute('href') ?? '';
  const shift = (by) => { tools.result.selectedIndex = (tools.result.selectedIndex + by + cards.length) % cards.length; draw(); };
  const swap = () => { top.hidden = !top.hidden; };
  const show = (of, number) => {
    program = of;
    cards = large(program);
    stage.style.setProperty('--below', `url(${program.dataset.picture})`);
    if (!cards.length) return;
    one('h2', viewer).textContent = program.dataset.name;
    tools.result.replaceChildren(...cards.map((card, n) => new Option(models(card), n)));
    tools.result.value = Math.max(0, number);
    const listing = one('.listing', program);
    source.replaceChildren(...(listing ? [one('.blamed', program)?.cloneNode(true) ?? '', listing.cloneNode(true)] : []));
    [at, held, exchanged] = [null, false, null];
    inspector.replaceChildren('Point at the picture for bits, values and ulps; click to hold a pixel and to see the values of each instruction.');
    if (!viewer.open) viewer.showModal();
    draw();
  };
  const draw = () => {
    clearInterval(timer);
    const card = cards[tools.result.value];
    const mode = tools.mode.value;
    base.src = program.dataset.picture;
    base.alt = program.dataset.against;
    const own = link(card, 'a:not(.map)');
    const picture = mode === 'difference' ? link(card, 'a.map') : own || program.dataset.picture;
    top.classList.toggle('over', mode !== 'difference' && !!one('img.over', card));
    top.hidden = !picture;
    if (picture) top.src = picture;
    top.alt = models(card);
    top.classList.toggle('map', mode === 'difference');
    open.view = card.id;
    open.mode = mode;
    remember();
    stage.classList.toggle('beside', mode === 'beside');
    tools.share.disabled = mode !== 'slider';
    top.style.clipPath = mode === 'slider' ? `inset(0 0 0 ${tools.share.value}%)` : '';
    if (mode === 'flicker' && !matchMedia('(prefers-reduced-motion: reduce)').matches) timer = setInterval(swap, 500);
    const sides = mode === 'slider' || mode === 'beside' ? `Left ${program.dataset.against}, right ${models(card)}. ` : '';
    note.textContent = sides + (own ? '' : 'Pictures alike to one 8-bit step. ') + one('em', card).textContent + '. ' +
      (mode === 'difference' ? one('#scale').textContent.replace(/\s+/g, ' ') : '') + (mode === 'flicker' ? ' The space bar changes pictures.' : '');
    place();
    exchange(exchanged);
  };
  const place = () => {
    mark.hidden = !at;
    if (!at) return;
    const [width, height] = program.dataset.size.split('x').map(Number);
    const across = stage.classList.contains('beside') ? (stage.clientWidth - base.clientWidth) : 0;
    mark.style.left = (at[0] / width) * (stage.clientWidth - across) + 'px';
    mark.style.top = (at[1] / height) * base.clientHeight + 'px';
    mark.style.width = (stage.clientWidth - across) / width + 'px';
    mark.style.height = base.clientHeight / height + 'px';
  };

  // Words of pixels.
  const waiting = new Map();
  globalThis.parallaxPixels = (name, data) => waiting.get(name)?.(data);
  const files = new Map();
  const words = (name) => {
    if (!name) return Promise.resolve(null);
    if (!files.has(name)) {
      files.set(name, new Promise((resolve) => {
        waiting.set(name, (data) => unpack(data).then(resolve, () => resolve(null)));
        const script = document.createElement('script');
        script.src = name;
        script.onerror = () => resolve(null);
        document.head.append(script);
      }));
    }
    return files.get(name);
  };
  const unpack = async (data) => {
    const bytes = await inflated(data.data);
    const pixels = data.kept[0] * data.kept[1];
    const count = data.components.length;
    let from = 0;
    const sets = [];
    let rest = null;
    for (let n = 0; n <= data.results.length; n += 1) {
      const covered = bytes.subarray(from, (from += pixels));
      const list = [];
      for (let c = 0; c < count; c += 1) {
        const word = new Uint32Array(pixels);
        for (let byte = 0; byte < 4; byte += 1, from += pixels) {
          for (let i = 0; i < pixels; i += 1) word[i] |= bytes[from + i] << (8 * byte);
        }
        if (n > 0) { const before = sets[data.from[n - 1]].words[c]; for (let i = 0; i < pixels; i += 1) word[i] ^= before[i]; }
        list.push(word);
      }
      if (n === 0) { rest = new Int8Array(bytes.slice(from, from + count * pixels).buffer); from += count * pixels; }
      sets.push({ covered, words: list });
    }
    return { ...data, sets, rest, pixels, traced: data.evidence ? await evidence(data.evidence) : null };
  };
  // Which pixels instructions change, and what each one computed: a stream behind one byte of no meaning.
  const inflated = async (text) => {
    const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
    return new Uint8Array(await new Response(stream).arrayBuffer()).subarray(1);
  };
  const evidence = async (text) => JSON.parse(new TextDecoder().decode(await inflated(text)));

  const view = new DataView(new ArrayBuffer(8));
  const value = (form, word) => {
    if (form === 'f32') { view.setUint32(0, word); return view.getFloat32(0); }
    if (form === 'f16') {
      const [sign, exponent, fraction] = [word & 0x8000 ? -1 : 1, (word >> 10) & 31, word & 1023];
      if (exponent === 31) return fraction ? NaN : sign * Infinity;
      return sign * (exponent ? (1 + fraction / 1024) * 2 ** (exponent - 15) : fraction * 2 ** -24);
    }
    if (form === 'byte') return word / 255;
    if (form.startsWith('fixed')) return (word | 0) / 2 ** form.split('.')[1];
    return word;
  };
  const spacing = (form, of) => {
    const floor = (digits, least) => 2 ** Math.max(Math.floor(Math.log2(Math.abs(of))) - digits, least);
    if (form === 'f32') return floor(23, -149);
    if (form === 'f16') return floor(10, -24);
    if (form === 'byte') return 1 / 255;
    return form.startsWith('fixed') ? 2 ** -form.split('.')[1] : NaN;
  };
  const digits = (form, word) => {
    const fixed = form.startsWith('fixed') ? form.slice(6).split('.').reduce((sum, n) => sum + Number(n), 0) : 0;
    const width = fixed ? Math.ceil(fixed / 4) : { f32: 8, f16: 4, byte: 2 }[form] ?? 8;
    return (fixed ? word & (2 ** fixed - 1) : word).toString(16).padStart(width, '0');
  };
  const number = (form, v) => {
    if (form !== 'f32' || !Number.isFinite(v)) return String(v);
    for (let p = 6; p < 9; p += 1) if (Math.fround(Number(v.toPrecision(p))) === v) return String(Number(v.toPrecision(p)));
    return String(Number(v.toPrecision(9)));
  };
  const distance = (data, set, c, i) => {
    const form = data.components[c].form;
    const [found, right] = [value(form, set.words[c][i]), value(form, data.sets[0].words[c][i])];
    if (form === 'word') return found === right ? '0' : 'differs';
    if (!Number.isFinite(found) || !Number.isFinite(right)) return Object.is(found, right) ? '0' : 'special';
    const ulps = (found - right) / spacing(form, right) - data.rest[c * data.pixels + i] / 254;
    const size = Math.abs(ulps);
    return (ulps < 0 ? '−' : '') + (size < 10 ? String(Number(size.toFixed(2))) : size < 1e6 ? size.toFixed(0) : size.toExponential(1));
  };
  const inspect = async (x, y) => {
    const mine = program;
    const data = await words(program.dataset.pixels);
    if (mine !== program) return;
    const lines = [];
    const add = (tag, text) => { const e = document.createElement(tag); e.textContent = text; return e; };
    let [px, py] = [x, y];
    if (data) {
      const nearest = (v, kept) => Math.min(kept - 1, Math.max(0, Math.round((v - (data.every >> 1)) / data.every)));
      const [kx, ky] = [nearest(x, data.kept[0]), nearest(y, data.kept[1])];
      [px, py] = [kx * data.every + (data.every >> 1), ky * data.every + (data.every >> 1)];
      const i = ky * data.kept[0] + kx;
      const table = document.createElement('table');
      table.className = 'inspector num';
      const head = table.insertRow();
      head.append(add('th', 'model'), add('th', ''), add('th', 'bits'), add('th', 'value'), add('th', 'ulp'));
      const named = [one('#effects').dataset.reference, ...data.results.map((row) => program.dataset['row' + row] ?? '')];
      data.sets.forEach((set, n) => {
        if (!named[n]) return;
        data.components.forEach((component, c) => {
          const row = table.insertRow();
          row.append(add('th', c ? '' : named[n]));
          const part = component.name.split('.').pop();
          if (!set.covered[i]) { row.append(add('td', part), add('td', 'not covered')); return; }
          const [form, word] = [component.form, set.words[c][i]];
          row.append(add('td', part), add('td', digits(form, word)), add('td', number(form, value(form, word))),
            add('td', set.covered[i] && data.sets[0].covered[i] ? distance(data, set, c, i) : ''));
        });
      });
      lines.push(add('p', data.every > 1 ? `Pixel ${px},${py}; the report keeps one in ${data.every}×${data.every}.` : `Pixel ${px},${py}`), table);
    } else {
      lines.push(add('p', `Pixel ${x},${y}: the file with the pixel words is missing next to this page.`));
    }
    const name = program.dataset.name;
    const word = /^[\w@%+=:,./-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
    lines.push(add('code', `parallax run ${word} --model MODEL --pixel ${x},${y}`));
    at = [px, py];
    place();
    inspector.replaceChildren(...lines);
    if (held) {
      open.pixel = `${x},${y}`;
      remember();
      trace(data?.traced, x, y);
    }
  };

  // The values of each instruction in the nearest pixel that was traced, below its line.
  const trace = (traced, x, y) => {
    all('.values, .traced', source).forEach((old) => old.remove());
    if (!traced) return;
    const away = ([a, b]) => (a - x) ** 2 + (b - y) ** 2;
    const nearest = traced.traced.reduce((best, p, n) => (away(p) < away(traced.traced[best]) ? n : best), 0);
    const [px, py] = traced.traced[nearest];
    const blamed = one('.blamed h3', source)?.textContent.split(', ')[1] ?? '';
    const head = document.createElement('p');
    head.className = 'traced';
    head.textContent = `Values in pixel ${px},${py}${px === x && py === y ? '' : ', the nearest one that was traced'}: ${blamed}.`;
    one('.listing', source)?.before(head);
    const listed = all('.listing li', source);
    const sides = blamed.split(' against ');
    let parted = false;
    traced.instructions.forEach(([line, place, text], n) => {
      const results = traced.values[nearest][n];
      const differs = results.some((result) => Array.isArray(result));
      const side = (k) => results.map((result) => (Array.isArray(result) ? result[k] : result) || '–').join(', ');
      const entry = document.createElement('span');
      entry.className = 'values' + (differs ? ' differs' : '') + (differs && !parted ? ' first' : '');
      parted ||= differs;
      entry.textContent = differs ? `${sides[1]}: ${side(0)}\n${sides[0]}: ${side(1)}` : side(0);
      const own = listed[line - 1];
      if (own) own.append(entry);
      else { entry.textContent = `${place}: ${text}\n${entry.textContent}`; source.append(entry); }
    });
    one('.values.first', source)?.scrollIntoView({ block: 'nearest' });
  };

  // The pixels that an instruction's exchange changes, among those that were tried.
  const exchange = async (number) => {
    const mine = program;
    exchanged = number;
    all('[data-n]', source).forEach((e) => e.classList.toggle('shown', e.dataset.n === number));
    const context = overlay.getContext('2d', { willReadFrequently: true });
    const [width, height] = program.dataset.size.split('x').map(Number);
    [overlay.width, overlay.height] = [width, height];
    delete open.exchange;
    if (number !== null) open.exchange = number;
    remember();
    const traced = number === null ? null : (await words(program.dataset.pixels))?.traced;
    if (mine !== program || exchanged !== number) return;
    const changed = traced?.changes[number];
    if (!changed) return;
    const colour = getComputedStyle(stage).getPropertyValue('--above');
    context.fillStyle = colour;
    for (const n of changed) context.fillRect(...traced.pixels[n], 1, 1);
    all('.exchanged', inspector.parentElement).forEach((old) => old.remove());
    const text = document.createElement('p');
    text.className = 'exchanged';
    text.textContent = `Exchanging this instruction alone changes ${changed.length} of the ${traced.pixels.length} pixels that were tried.`;
    note.after(text);
  };
  source.addEventListener('click', (event) => {
    const line = event.target.closest('[data-n]');
    if (!line) return;
    all('.exchanged', viewer).forEach((old) => old.remove());
    exchange(line.dataset.n === exchanged ? null : line.dataset.n);
  });
  const point = (event) => {
    const box = (stage.classList.contains('beside') && event.target === top ? top : base).getBoundingClientRect();
    const [width, height] = program.dataset.size.split('x').map(Number);
    const within = (v, most) => Math.min(most - 1, Math.max(0, Math.floor(v * most)));
    inspect(within((event.clientX - box.left) / box.width, width), within((event.clientY - box.top) / box.height, height));
  };
  stage.addEventListener('pointermove', (event) => { if (!held || event.buttons) point(event); });
  stage.addEventListener('pointerdown', (event) => { held = true; point(event); });
  for (const kind of ['input', 'change']) tools.addEventListener(kind, draw);
  const closed = () => {
    clearInterval(timer);
    for (const name of Object.keys(open)) delete open[name];
    remember();
  };
  // The button and the Escape key at once; `close` comes with the next frame.
  tools.addEventListener('submit', closed);
  viewer.addEventListener('cancel', closed);
  viewer.addEventListener('close', closed);
  document.addEventListener('click', (event) => {
    const at = event.target.closest?.('.pair a');
    if (!at || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const card = at.dataset.large ? document.getElementById(at.dataset.large) : at.closest('figure:not(.flat)');
    const of = card?.closest('.program');
    if (!of) return;
    event.preventDefault();
    show(of, large(of).indexOf(card));
  });
  // A link of its own: ?view=CARD&mode=MODE&pixel=X,Y&exchange=NUMBER
  const wanted = document.getElementById(asked.get('view') ?? '');
  if (wanted) {
    const of = wanted.closest('.program');
    if (asked.has('mode')) tools.mode.value = asked.get('mode');
    show(of, large(of).indexOf(wanted));
    const [x, y] = (asked.get('pixel') ?? '').split(',').map(Number);
    held = asked.has('pixel');
    if (held) inspect(x, y);
    if (asked.has('exchange')) exchange(asked.get('exchange'));
  }
})();
