import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import type { createAppRouter } from './router.tsx';
import { mantineTheme } from './theme/mantine-colors.ts';
import { useTheme } from './theme/use-theme.ts';

interface Props {
  queryClient: QueryClient;
  router: ReturnType<typeof createAppRouter>;
}

export function App({ queryClient, router }: Props) {
  const theme = useTheme();
  return (
    <MantineProvider theme={mantineTheme} forceColorScheme={theme.scheme}>
      <Notifications position="bottom-right" />
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}
