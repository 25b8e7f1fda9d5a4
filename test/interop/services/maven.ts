import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installed, run } from './install.ts';

/** What Maven Central is asked for: `group:artifact:version`, then its type and classifier where it has them. */
export interface Artifact {
  readonly id: `${string}:${string}:${string}`;
  readonly type?: 'tar.gz' | 'zip';
  readonly classifier?: string;
}

/** Artifacts to install together. */
export interface MavenInstallation {
  readonly name: string;
  readonly artifacts: readonly Artifact[];
  /** Whether what they depend on comes too. */
  readonly transitive?: boolean;
  /** What is done with the files in the folder afterwards. */
  readonly unpack?: (folder: string) => Promise<void>;
}

/** The folder that holds these artifacts, fetched once. */
export async function mavenArtifacts(options: MavenInstallation): Promise<string> {
  const { name, artifacts, transitive = false, unpack } = options;
  const pom = pomOf(name, artifacts, transitive);
  return installed({
    name,
    recipe: pom,
    install: async (folder) => {
      await writeFile(join(folder, 'pom.xml'), pom);
      await run('mvn', ['-B', '-q', 'dependency:copy-dependencies', `-DoutputDirectory=${folder}`], {
        cwd: folder,
        remedy: 'Maven is needed (`apt-get install maven`).',
      });
      await unpack?.(folder);
    },
  });
}

function pomOf(name: string, artifacts: readonly Artifact[], transitive: boolean): string {
  const dependencies = artifacts.map(({ id, type, classifier }) => {
    const [group, artifact, version] = id.split(':');
    const lines = [
      `<groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version>`,
      ...(type === undefined ? [] : [`<type>${type}</type>`]),
      ...(classifier === undefined ? [] : [`<classifier>${classifier}</classifier>`]),
      ...(transitive
        ? []
        : ['<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>']),
    ];
    return `    <dependency>${lines.join('')}</dependency>`;
  });
  return `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>lethe.interop</groupId><artifactId>${name}</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies>
${dependencies.join('\n')}
  </dependencies>
</project>
`;
}
