import { useState } from 'preact/hooks';
import { refresh, session } from './live.ts';
import { ServerFault, signIn } from './server.ts';
import { say } from './speech.ts';

/** Asks for name and password. */
export function SignIn() {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [fault, setFault] = useState('');
  return (
    <form
      class="sign-in"
      onSubmit={(event) => {
        event.preventDefault();
        signIn(name, password)
          .then((info) => {
            session.value = info;
            return refresh();
          })
          .catch((error: unknown) => {
            setPassword('');
            setFault(error instanceof ServerFault ? `${error.message} ${error.cure}` : String(error));
          });
      }}
    >
      <h1>{say('sign-in')}</h1>
      <label>
        {say('name')}
        <input
          id="name"
          autocomplete="username"
          required
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
      <label>
        {say('password')}
        <input
          id="password"
          type="password"
          autocomplete="current-password"
          required
          value={password}
          onInput={(event) => setPassword(event.currentTarget.value)}
        />
      </label>
      <p class="fault" role="alert">
        {fault}
      </p>
      <button type="submit" class="first">
        {say('sign-in')}
      </button>
    </form>
  );
}
