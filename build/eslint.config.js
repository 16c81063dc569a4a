import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import vue from 'eslint-plugin-vue';
import globals from 'globals';
import ts from 'typescript-eslint';

const project = ['server', 'electron', 'renderer', 'build', 'test'].map((part) => `./${part}/tsconfig.json`);

export default ts.config(
  { ignores: ['dist/**', 'release/**', 'node_modules/**', 'test/fixtures/**', 'test/output/**'] },
  js.configs.recommended,
  ...ts.configs.recommendedTypeChecked,
  ...vue.configs['flat/recommended'],
  prettier,
  {
    languageOptions: {
      globals: { ...globals.node },
      parserOptions: {
        project,
        tsconfigRootDir: new URL('..', import.meta.url).pathname,
        extraFileExtensions: ['.vue'],
      },
    },
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'max-lines': ['error', { max: 450, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
      'no-eval': 'error',
      'no-new-func': 'error',
    },
  },
  {
    files: ['**/*.vue'],
    languageOptions: { globals: { ...globals.browser }, parserOptions: { parser: ts.parser } },
    rules: { 'vue/multi-word-component-names': 'off', 'vue/require-default-prop': 'off' },
  },
  { files: ['renderer/**/*.ts'], languageOptions: { globals: { ...globals.browser } } },
  { files: ['build/**', 'test/bench/**', 'server/main.ts', 'electron/main.ts'], rules: { 'no-console': 'off' } },
  { files: ['**/*.js', '**/*.cjs'], ...ts.configs.disableTypeChecked },
  { files: ['**/*.cjs'], rules: { 'no-var': 'off' } },
);
