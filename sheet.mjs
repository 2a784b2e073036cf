import sharp from 'sharp'; import fs from 'node:fs';
const [dir, out, w, h, from] = process.argv.slice(2); const W = +w, H = +h;
const order = fs.readFileSync(process.argv[7],'utf8').split('\n').filter(l=>/KB$/.test(l)).map(l=>l.split(':')[0]+'.png').slice(+from);
fs.mkdirSync(out,{recursive:true});
for (let i = 0; i + 0 < order.length; i += 4) { const part = order.slice(i, i + 4); if (part.length<4 && process.argv[8]!=='all') break; const sheet = String((+from + i)/4).padStart(2,'0');
 await sharp({ create: { width: W*2+8, height: H*2+8, channels: 3, background: '#f0f' } }).composite(await Promise.all(part.map(async (f, k) => ({ input: await sharp(`${dir}/${f}`).resize(W,H).png().toBuffer(), left: (k%2)*(W+8), top: (k>>1)*(H+8) })))).png().toFile(`${out}/${sheet}.png`); console.log(sheet, part.join(' ')); }
