/** Random route paths and the URLs that go with them. */
import fc from 'fast-check'

// Short and alike, so that prefixes are shared and split, and patterns collide.
const texts = 'a ab abc b ba B aB 1 12 x.y a-b é a%b a::b a;b a?b ?a=1 #'.split(' ')
const params = [
  ...':id :other a:id a:b ab:id a%:id : :__proto__ :constructor :a::b'.split(' '),
  ...':a-:b :a-:b.:c :file.png :file.png.png :file.:ext :file.PNG :g.png.png :g-.png'.split(' '),
  ...String.raw`:id(^\d+$) :id(\w{2,3}) :word(a|b) :deep((a)b)`.split(' '),
  ...String.raw`:h(^\d{2})h:m(^\d{2})m :a(\d+)::v% :x(1)y:z(2)`.split(' '),
]

const segment = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...texts) },
  { weight: 2, arbitrary: fc.constantFrom(':id', ':other') },
  { weight: 3, arbitrary: fc.constantFrom(...params) },
)

const ending = fc.oneof(
  { weight: 8, arbitrary: fc.constant('') },
  { weight: 3, arbitrary: fc.constantFrom('/', '/*', '*', '/:opt?', '/:opt?/') },
)

const routePath: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 20,
    arbitrary: fc
      .tuple(fc.array(segment, { minLength: 1, maxLength: 3 }), ending)
      .map(([segments, end]) => '/' + segments.join('/') + end)
      // find-my-way generates an object literal from the names, and JavaScript refuses this one.
      .filter((path) => path.split('__proto__').length < 3),
  },
  { weight: 1, arbitrary: fc.constantFrom('*', '/', '/*', '//a//b', '/a//:id') },
)

const mixed = fc.uniqueArray(routePath, { minLength: 1, maxLength: 14 })
// Which of the parameters of one segment comes first?
const siblings = fc.uniqueArray(fc.constantFrom('/*', ...params.map((each) => '/' + each)), {
  minLength: 6,
})
// How are prefixes split?
const prefixes = fc.uniqueArray(fc.constantFrom('*', '/a:b', ...texts.map((each) => '/' + each)), {
  minLength: 4,
})

export const routePaths: fc.Arbitrary<string[]> = fc.oneof(
  { weight: 3, arbitrary: mixed },
  { weight: 1, arbitrary: fc.oneof(siblings, prefixes) },
)

/** A path that no route can be registered with. */
export const faultyPath: fc.Arbitrary<string> = fc.constantFrom(
  ...' a *a /:opt? /a*b /:o?x /:o?/x'.split(' '),
  ...String.raw`/:y/:x((a+)+) /:y(b)/:x( /:x([) /:x(?<n>a) /:x(\) /:x(\$)`.split(' '),
)

const values = 'a ab abc b B 1 12 123 01h02m x.y a-b a-b.c f.png f.png.png f.PNG 1y2 1:v%25 İ'
const oddValues = 'é a:b a%25b %61 %2F %252f %3a%20%C3%A9 %40 __proto__ toolongtoolong 🙂 %25 %'
const badValues = 'a%b % %zz %E4 %2 %%25'

const value = fc.oneof(
  { weight: 14, arbitrary: fc.constantFrom(...values.split(' ')) },
  { weight: 3, arbitrary: fc.constantFrom('', ...oddValues.split(' ')) },
  { weight: 1, arbitrary: fc.constantFrom(...badValues.split(' ')) },
)

const suffix = fc.oneof(
  { weight: 6, arbitrary: fc.constant('') },
  {
    weight: 4,
    arbitrary: fc.constantFrom(...'?a=1 ?a=%2f&b ;s=1 #top / ? /?x=/ ?x=/y // ?a=%zz'.split(' ')),
  },
)

/** A URL of the same alphabet as the paths. */
export const looseUrl: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc
      .tuple(fc.array(value, { minLength: 1, maxLength: 4 }), suffix)
      .map(([segments, end]) => '/' + segments.join('/') + end),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      ...'* a %2Fa %25ab ab?x http://h.example/a/12 https://h/ // /? ?/a'.split(' '),
    ),
  },
)

/** A URL that the path matches, more often than not. */
export function urlOf(path: string): fc.Arbitrary<string> {
  return fc.tuple(fc.array(value, { minLength: 8, maxLength: 8 }), suffix).map(([fill, end]) => {
    const filled = path
      .replaceAll('::', '\0')
      .replace(/:\w*(?:\(.*?\)+)?\??|\*/g, () => fill.pop() ?? '')
    return filled.replaceAll('\0', ':').replaceAll('a%', 'a%25') + end
  })
}
