import { Alert, Button, Container, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconBolt, IconBrandGithub, IconGitPullRequest, IconWorld } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { call } from '../../api/client.ts';
import { isWebAddress } from '../../api/web-address.ts';
import { Logo } from '../../ui/logo.tsx';
import { notifyError } from '../../ui/notify.ts';

const FEATURES = [
  {
    icon: IconGitPullRequest,
    title: 'Every pull request, live',
    text: 'Open a pull request or push a branch: its services are built and deployed without another step.',
  },
  {
    icon: IconWorld,
    title: 'A link that anyone can open',
    text: 'Reviewers click on a URL and see the change run, with its own database and its own data.',
  },
  {
    icon: IconBolt,
    title: 'Your compose file is enough',
    text: 'Choose the file, mark which services are public. No second description of your application.',
  },
];

async function continueWithGitHub(): Promise<void> {
  const { auth_url } = await call('startSignIn', {});
  if (!isWebAddress(auth_url)) throw new Error('The server sent no valid address for signing in.');
  window.location.assign(auth_url);
}

export function LoginScreen() {
  const { arrival } = useRouter().options.context;
  const signIn = useMutation({
    mutationFn: continueWithGitHub,
    onError: () => notifyError('Failed to start GitHub authentication. Please try again.'),
  });
  useEffect(() => {
    document.title = 'Sign in · Greenroom';
  }, []);
  return (
    <Container component="main" size="md" py={{ base: 48, sm: 96 }}>
      <Stack align="center" gap="xl">
        <Logo size={50} />
        <Stack gap="xs" align="center" ta="center">
          <Title order={1}>See every change run before it is merged</Title>
          <Text c="dimmed" size="lg" maw={560}>
            Greenroom gives each pull request and branch an environment of its own.
          </Text>
        </Stack>
        {arrival && 'error' in arrival && (
          <Alert color="danger" role="alert" title="Sign-in did not succeed">
            {arrival.error}
          </Alert>
        )}
        <Button
          size="md"
          leftSection={<IconBrandGithub size={20} />}
          loading={signIn.isPending || signIn.isSuccess}
          onClick={() => signIn.mutate()}
        >
          Continue with GitHub
        </Button>
        <SimpleGrid cols={{ base: 1, sm: 3 }} mt="lg">
          {FEATURES.map(({ icon: Icon, title, text }) => (
            <Paper key={title} withBorder p="lg" bg="var(--gr-surface)">
              <Icon size={28} color="var(--gr-link)" aria-hidden="true" />
              <Title order={2} size="h4" mt="sm">
                {title}
              </Title>
              <Text c="dimmed" mt={4}>
                {text}
              </Text>
            </Paper>
          ))}
        </SimpleGrid>
      </Stack>
    </Container>
  );
}
