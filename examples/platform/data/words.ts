// What the made-up people are called and say. Learner 3590 alone is Alexa Reed and 4998 alone Zofia Haase: neither name is
// in the lists, and no first name sorts after Zofia.

export const firstNames = words(`
  Aaliyah Adaeze Ahmed Aiko Alejandro Amara Andrei Anneke Antonio Astrid Ayşe Bartosz Beatriz Bilal Björn
  Camille Carlos Chiara Chinedu Daniela David Deepa Dmitri Elena Émile Erik Esther Fatima Felix Fiona
  Giulia Grace Hana Haruto Hassan Helena Hugo Ingrid Ivan Jamal Jana Jonas José Julia Kaito Katarzyna
  Kofi Lara Leïla Liam Lin Łukasz Magda Malik Marek María Mateo Mei Mina Nadia Naoki Nia Noor Oliver Olga
  Omar Paulo Petra Priya Quentin Rafael Ravi Rosa Ruth Samira Sanjay Sara Sofía Soren Tariq Thandi Thomas
  Uma Valentina Viktor Wei Xavier Yara Yusuf Zahra Zoë
`);

export const lastNames = words(`
  Abebe Acosta Adeyemi Ahmadi Almeida Andersson Bakker Banerjee Bauer Bianchi Blanchard Boateng Carvalho
  Castillo Chen Cohen Costa D'Angelo Dubois Eriksen Farouk Fernández Fischer Fontaine Fujita García Gómez
  Gupta Hansen Hashimoto Hoffmann Horvat Ibrahim Ito Iyer Jansen Jensen Johansson Kaya Keller Khan Kim
  Kowalski Kumar Lambert Larsen Lefèvre Li Lindqvist Mahlangu Marino Mbeki Mehta Mendes Meyer Moreau
  Mwangi Nakamura Ndiaye Nguyen Novák O'Neill Okafor Olsen Ortiz Owusu Patel Pereira Petrov Popescu Quist
  Ramos Rossi Russo Santos Sato Schmidt Silva Singh Smith-Jones Sørensen Tanaka Torres Traoré Uchida
  Vargas Virtanen Wagner Weber Wong Yılmaz Yamada Zhang Zimmermann
`);

export const mailDomains = [
  'example.com',
  'example.net',
  'example.org',
  'mail.example',
  'uni.example',
] as const;

export const streetEndings = [
  'Avenue',
  'Bridge',
  'Court',
  'Drive',
  'Fields',
  'Heights',
  'Lane',
  'Mews',
  'Road',
  'Walk',
] as const;

export const places = [
  { city: 'Berlin', country: 'DE' },
  { city: 'München', country: 'DE' },
  { city: 'Köln', country: 'DE' },
  { city: 'Paris', country: 'FR' },
  { city: 'Lyon', country: 'FR' },
  { city: 'Kraków', country: 'PL' },
  { city: 'Warszawa', country: 'PL' },
  { city: 'Madrid', country: 'ES' },
  { city: 'Sevilla', country: 'ES' },
  { city: 'Lisboa', country: 'PT' },
  { city: 'Milano', country: 'IT' },
  { city: 'Amsterdam', country: 'NL' },
  { city: 'Stockholm', country: 'SE' },
  { city: 'Dublin', country: 'IE' },
  { city: 'Wien', country: 'AT' },
  { city: 'Athína', country: 'GR' },
] as const;

export const notes = [
  'Prefers to be written to, not called.',
  'Employer pays the invoices.',
  'Asked for captions on all videos.',
  'Uses a screen reader.',
  'Paused during parental leave.',
  'Said “thank you” twice 🎓',
  "Wants the certificate in the name's full form.",
  'Switched from monthly to yearly billing; see the help desk.',
] as const;

export const headlines = [
  'Teaches what they shipped',
  'Twenty years of production data',
  'Explains it with a whiteboard',
  'Former site reliability lead',
  'Statistics without fear',
  'Writes books about testing',
  'Cloud costs, halved',
] as const;

export const subjects = [
  {
    subject: 'data engineering',
    topics: [
      'Streaming pipelines',
      'Lakehouse tables',
      'Orchestration',
      'Data quality',
      'Batch to real time',
    ],
  },
  {
    subject: 'analytics',
    topics: ['SQL for everyone', 'Dashboards that get used', 'Experiments', 'Forecasting', 'Metrics layers'],
  },
  {
    subject: 'machine learning',
    topics: ['Regression', 'Recommenders', 'Text and search', 'Model monitoring', 'Feature stores'],
  },
  {
    subject: 'security',
    topics: ['Threat modelling', 'Access policies', 'Incident response', 'Secrets', 'Privacy engineering'],
  },
  {
    subject: 'cloud',
    topics: ['Containers', 'Networking', 'Infrastructure as code', 'Cost control', 'Observability'],
  },
  {
    subject: 'leadership',
    topics: ['Feedback', 'Hiring', 'Roadmaps', 'Writing well', 'First-time managers'],
  },
] as const;

export const levels = ['introduction', 'practice', 'advanced'] as const;

export const comments = [
  'Clear from start to end.',
  'Too fast in the second half.',
  'The exercises are the best part.',
  'I use it at work every week.',
  'Sound was poor in unit three.',
  'Good pace, honest about limits.',
  'More examples, please.',
  'The slides are out of date.',
  'Exactly what the title says.',
  'The instructor answers questions within a day.',
  'Worth twice the price.',
  '¡Muy bueno! 👏',
] as const;

export const ticketMessages = [
  { category: 'access', message: 'The course does not open after I paid.' },
  { category: 'access', message: 'I cannot sign in on my phone.' },
  { category: 'billing', message: 'The invoice lacks our VAT number.' },
  { category: 'billing', message: 'I was charged twice in one month.' },
  { category: 'content', message: 'The video in unit four stops after a minute.' },
  { category: 'content', message: 'A quiz marks the right answer as wrong.' },
  { category: 'certificate', message: 'My certificate shows the wrong date.' },
  { category: 'account', message: 'Please change the address on my account.' },
] as const;

export const userAgents = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/138.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 Version/17.5 Safari/605.1.15',
  'Mozilla/5.0 (X11; Linux x86_64; rv:139.0) Gecko/20100101 Firefox/139.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148',
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/138.0 Mobile Safari/537.36',
  'LearningApp/4.2 (Android 15)',
] as const;

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
