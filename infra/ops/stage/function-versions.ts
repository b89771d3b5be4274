// The versions of a stage's functions, and the aliases that choose the version in service. Calls
// are made one at a time: an account has 15 of them a second (AWS Lambda Developer Guide, "Lambda
// quotas"), and the SDK gives up if too many are refused at once.

import {
  DeleteFunctionCommand,
  GetAliasCommand,
  GetFunctionConfigurationCommand,
  type LambdaClient,
  paginateListVersionsByFunction,
  ResourceNotFoundException,
  UpdateAliasCommand,
} from '@aws-sdk/client-lambda';
import { keptVersions } from '../../manifest/canary.ts';
import { type FunctionName, functions } from '../../manifest/manifest.ts';
import { functionNameOf, liveAlias } from '../../manifest/names.ts';
import { CommandFailure } from '../errors.ts';

const names = Object.keys(functions) as FunctionName[];

/** `isShifting` while a part of the calls goes to another version. */
export type Alias = { name: FunctionName; version: string; isShifting: boolean };

const unlessAbsent = async <Reply>(reply: Promise<Reply>): Promise<Reply | undefined> => {
  try {
    return await reply;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
};

export type FunctionVersions = ReturnType<typeof openFunctionVersions>;

/** @param tableName the table of this checkout */
export const openFunctionVersions = (
  client: LambdaClient,
  { stage, tableName }: { stage: string; tableName: string },
) => {
  const list = async (name: FunctionName): Promise<string[]> => {
    const paging = { client };
    const versions: string[] = [];
    const ofFunction = { FunctionName: functionNameOf(stage, name) };
    for await (const page of paginateListVersionsByFunction(paging, ofFunction)) {
      versions.push(...(page.Versions ?? []).map(({ Version = '' }) => Version));
    }
    return versions
      .filter((version) => /^\d+$/.test(version))
      .sort((one, other) => Number(other) - Number(one));
  };

  const findAlias = async (name: FunctionName): Promise<Alias | undefined> => {
    const FunctionName = functionNameOf(stage, name);
    const command = new GetAliasCommand({ FunctionName, Name: liveAlias });
    const alias = await unlessAbsent(client.send(command));
    if (alias?.FunctionVersion === undefined) return undefined;
    const weights = alias.RoutingConfig?.AdditionalVersionWeights ?? {};
    return { name, version: alias.FunctionVersion, isShifting: Object.keys(weights).length > 0 };
  };

  const findTable = async (name: FunctionName, version: string): Promise<string | undefined> => {
    const FunctionName = functionNameOf(stage, name);
    const command = new GetFunctionConfigurationCommand({ FunctionName, Qualifier: version });
    const found = await unlessAbsent(client.send(command));
    return found?.Environment?.Variables?.TABLE_NAME;
  };

  return {
    /** The aliases of the deployed functions. */
    aliases: async (): Promise<Alias[]> => {
      const aliases: Alias[] = [];
      for (const name of names) {
        const alias = await findAlias(name);
        if (alias) aliases.push(alias);
      }
      return aliases;
    },

    /** The table that a version uses, or `undefined` if there is no such version. */
    findTable,

    /**
     * For example after a restore by another operator: this checkout then has an old table.
     * @param remedy the rest of the message
     * @throws CommandFailure if functions are in service, and none of them uses this table
     */
    assertTableInService: async (
      remedy = 'take infra/manifest/restored-tables.json from the operator who restored the stage',
    ): Promise<void> => {
      let other: string | undefined;
      for (const name of names) {
        const alias = await findAlias(name);
        const table = alias && (await findTable(name, alias.version));
        if (table === tableName) return;
        other ??= table;
      }
      if (other === undefined) return;
      throw new CommandFailure(
        `the functions use the table ${other}, and this checkout ${tableName}: ${remedy}`,
      );
    },

    /** Sends all calls to a version at once. */
    move: async (name: FunctionName, version: string): Promise<void> => {
      await client.send(
        new UpdateAliasCommand({
          FunctionName: functionNameOf(stage, name),
          Name: liveAlias,
          FunctionVersion: version,
          RoutingConfig: { AdditionalVersionWeights: {} },
        }),
      );
    },

    /**
     * Deletes the versions of a function except the newest and these.
     * @returns the number of deleted versions
     */
    deleteOld: async (name: FunctionName, needed: readonly string[]): Promise<number> => {
      const old = (await list(name))
        .slice(keptVersions)
        .filter((version) => !needed.includes(version));
      const FunctionName = functionNameOf(stage, name);
      for (const Qualifier of old) {
        await client.send(new DeleteFunctionCommand({ FunctionName, Qualifier }));
      }
      return old.length;
    },
  };
};
