export * from 'framework/5'
export { default } from 'framework/5'
