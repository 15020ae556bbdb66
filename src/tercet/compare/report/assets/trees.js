// Trees in brackets, as tercet.language writes them, drawn with the links of Guzmán et al. (2014).

function readTree(text) {
  let at = 0;
  const symbol = () => {
    let found = '';
    while (at < text.length && !' ()'.includes(text[at])) {
      if (text[at] !== '\\') { found += text[at++]; continue; }
      const code = text[at + 1];
      if (code === 'u') { found += String.fromCodePoint(parseInt(text.slice(at + 2, at + 8), 16)); at += 8; continue; }
      found += {_: ' ', n: '\n', t: '\t', e: ''}[code] ?? code;
      at += 2;
    }
    return found;
  };
  const root = {children: []};
  const open = [root];
  while (at < text.length) {
    if (text[at] === '(') { at++; const node = {label: symbol(), children: []}; open.at(-1).children.push(node); open.push(node); }
    else if (text[at] === ')') { at++; open.pop(); }
    else if (text[at] === ' ') at++;
    else open.at(-1).children.push({label: symbol(), children: []});
  }
  return root.children[0];
}

function leavesOf(node) { return node.children.length ? node.children.flatMap(leavesOf) : [node.label]; }

// A word is linked if the other tree has it; a node above is linked if all below it are.
function link(node, there) {
  node.linked = node.children.length ? node.children.map((child) => link(child, there)).every(Boolean) : there.has(node.label.toLowerCase());
  return node.linked;
}

function treePicture(tree, other) {
  link(tree, new Set(leavesOf(other).map((word) => word.toLowerCase())));
  const level = 44;
  let depth = 0;
  const measure = (node, d) => {
    depth = Math.max(depth, d);
    node.depth = d;
    const below = node.children.reduce((sum, child) => sum + measure(child, d + 1) + 10, node.children.length ? -10 : 0);
    node.width = Math.max(textWidth(node.label, 13) + 4, below);
    node.below = below;
    return node.width;
  };
  measure(tree, 0);
  const drawn = {edges: [], labels: []};
  const place = (node, left) => {
    let x = left + (node.width - node.below) / 2;
    for (const child of node.children) { place(child, x); x += child.width + 10; }
    node.x = node.children.length ? (node.children[0].x + node.children.at(-1).x) / 2 : left + node.width / 2;
    node.y = 18 + level * (node.children.length ? node.depth : depth);
    for (const child of node.children) {
      drawn.edges.push(element('svg:line', {class: `edge${child.linked ? ' linked' : ''}`, x1: node.x.toFixed(1), y1: node.y + 5, x2: child.x.toFixed(1), y2: child.y - 14}));
    }
    drawn.labels.push(element('svg:text', {class: `${node.children.length ? '' : 'leaf'}${node.linked ? ' linked' : ''}`, x: node.x.toFixed(1), y: node.y}, node.label));
  };
  place(tree, 4);
  const [width, height] = [Math.ceil(tree.width + 8), 18 + level * depth + 10];
  return element('div', {class: 'tree', tabindex: 0, role: 'img', 'aria-label': `Tree over: ${leavesOf(tree).join(' ')}`},
    element('svg:svg', {width, height, viewBox: `0 0 ${width} ${height}`}, drawn.edges, drawn.labels));
}
